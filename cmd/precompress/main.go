package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/precompress/precompress/precompress"
)

func main() {
	t := time.Now()
	r, err := precompress.Build(context.Background(), os.Args[1], precompress.Options{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Printf("%+v\n", r.Totals())
	fmt.Println(r.Err(), len(r.Skipped), len(r.Removed), r.Warnings, time.Since(t))
}
