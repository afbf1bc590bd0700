package s3_test

import (
	"context"
	"log"

	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/cache"
	"github.com/precompress/precompress/precompress/cache/s3"
)

// All machines that build with this bucket share their results. A directory in front
// of it spares the network. The credentials come from the environment.
func ExampleOpen() {
	ctx := context.Background()
	store, err := s3.Open("s3://build-cache/precompress?region=eu-central-1")
	if err != nil {
		log.Fatal(err)
	}
	c, err := cache.Open("/var/cache/precompress", cache.Options{Remote: store})
	if err != nil {
		log.Fatal(err)
	}
	_, err = precompress.Build(ctx, "public", precompress.Options{Cache: c})
	for _, warning := range c.Close(ctx) { // waits for uploads
		log.Print(warning)
	}
	if err != nil {
		log.Fatal(err)
	}
}
