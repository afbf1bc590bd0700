package manifest

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// typeError is a JSON value of another type than the format has. It does not speak of
// the types of this package.
type typeError struct{ *json.UnmarshalTypeError }

func (e typeError) Error() string {
	member := "the document"
	if e.Field != "" {
		member = strconv.Quote(e.Field)
	}
	names := map[string]string{"object": "an object", "array": "a list", "string": "a string", "number": "a number", "bool": "true or false"}
	kind, _, _ := strings.Cut(e.Value, " ") // behind it, a number, however long
	return fmt.Sprintf("%s is %s and not %s (before byte %d)", member, names[kind], wanted(e.Type), e.Offset)
}

// wanted names what JSON has for a type.
func wanted(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Struct:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number of 64 bits"
	}
	return "a string"
}

func (e typeError) Unwrap() error { return e.UnmarshalTypeError }

func jsonError(err error) error {
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		return typeError{mistyped}
	}
	return err
}
