package bench

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
)

// jsonList returns a page of records as an API for orders returns it, of about size bytes
// and no more: the same keys again and again, and values of all kinds, some from a few
// choices, some from many, some unique.
func jsonList(seed uint64, size int) []byte {
	o := orders{newDice(seed)}
	var out bytes.Buffer
	out.WriteString(`{"data":[`)
	const longestEnd = 80
	count := 0
	for misses := 0; misses < 20; { // the last record has to fit
		record := o.record(count)
		if out.Len()+len(record) > size-longestEnd {
			misses++
			continue
		}
		if count > 0 {
			out.WriteByte(',')
		}
		out.WriteString(record)
		count++
	}
	fmt.Fprintf(&out, `],"page":{"next":"%s","limit":%d,"total":%d}}`, o.hex(24), count, count*37)
	return out.Bytes()
}

// orders makes records.
type orders struct{ dice }

func (o orders) record(number int) string {
	first, last := o.pick("first names"), o.pick("last names")
	var text strings.Builder
	fmt.Fprintf(&text, `{"id":%d,"uuid":"%s","status":"%s","created_at":"%s","updated_at":"%s",`,
		100_001+number, o.uuid(), o.pick("order statuses"), o.instant(), o.instant())
	fmt.Fprintf(&text, `"customer":{"name":"%s %s","email":"%s.%s@%s","country":"%s","vip":%t},`,
		first, last, strings.ToLower(first), strings.ToLower(last), o.pick("mail hosts"), o.pick("countries"), o.chance(12))
	total := o.items(&text)
	fmt.Fprintf(&text, `"total":%d.%02d,"currency":"%s","note":%s,"tags":["%s"]}`,
		total/100, total%100, o.pick("currencies"), o.note(), strings.Join(o.some("labels", o.between(1, 3)), `","`))
	return text.String()
}

// items writes what was ordered, and returns the total price in cents.
func (o orders) items(text *strings.Builder) (total int) {
	text.WriteString(`"items":[`)
	for i := range o.between(1, 3) {
		if i > 0 {
			text.WriteByte(',')
		}
		price, quantity := o.between(199, 24_999), o.between(1, 4)
		total += price * quantity
		fmt.Fprintf(text, `{"sku":"%c%c-%05d","title":"%s %s","quantity":%d,"unit_price":%d.%02d}`,
			'A'+o.n(26), 'A'+o.n(26), o.n(100_000), o.pick("product kinds"), o.pick("products"), quantity, price/100, price%100)
	}
	text.WriteString(`],`)
	return total
}

func (o orders) uuid() string {
	return o.hex(8) + "-" + o.hex(4) + "-4" + o.hex(3) + "-a" + o.hex(3) + "-" + o.hex(12)
}

func (o orders) instant() string {
	return fmt.Sprintf("2026-%02d-%02dT%02d:%02d:%02d.%03dZ", o.between(1, 12), o.between(1, 28), o.n(24), o.n(60), o.n(60), o.n(1000))
}

// note returns two remarks as a JSON string, or null.
func (o orders) note() string {
	if o.chance(60) {
		return "null"
	}
	return `"` + o.pick("remarks") + " " + o.pick("remarks") + `"`
}

// jsonPicture returns a document that consists almost entirely of a picture in base64.
func jsonPicture(picture []byte) []byte {
	return fmt.Appendf(nil, `{"id":4711,"name":"harbour.png","type":"image/png","size":%d,"data":"data:image/png;base64,%s"}`,
		len(picture), base64.StdEncoding.EncodeToString(picture))
}

// smallBody returns the 115 bytes of an API's error. Little in them occurs twice, so
// gzip makes them larger; brotli has some of the words in its built-in dictionary.
func smallBody() []byte {
	return []byte(`{"status":404,"error":"Not Found","message":"There is no product with this number in the database","code":"X-1042"}`)
}
