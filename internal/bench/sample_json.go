package bench

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
)

// jsonList returns a page of records as an API of orders answers with, of about so
// many bytes and no more: the same names again and again, and values of all kinds
// between them, some of a few, some of many, some never seen twice.
func jsonList(seed uint64, size int) []byte {
	o := newOrders(seed)
	var out bytes.Buffer
	out.WriteString(`{"data":[`)
	const longestEnd = 80
	count := 0
	for misses := 0; misses < 20; { // the last record is one that fits
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
type orders struct {
	dice
	first, last, hosts, countries, currencies, statuses, adjectives, products, labels, remarks []string
}

func newOrders(seed uint64) *orders {
	return &orders{
		newDice(seed),
		strings.Fields(firstNames), strings.Fields(lastNames), strings.Fields(mailHosts), strings.Fields(countries), strings.Fields(currencies),
		strings.Fields(statuses), strings.Fields(adjectives), strings.Fields(products), strings.Fields(labels), strings.Split(remarks, "\n"),
	}
}

func (o *orders) record(number int) string {
	first, last := o.pick(o.first), o.pick(o.last)
	var text strings.Builder
	fmt.Fprintf(&text, `{"id":%d,"uuid":"%s","status":"%s","created_at":"%s","updated_at":"%s",`,
		100_001+number, o.uuid(), o.pick(o.statuses), o.instant(), o.instant())
	fmt.Fprintf(&text, `"customer":{"name":"%s %s","email":"%s.%s@%s","country":"%s","vip":%t},`,
		first, last, strings.ToLower(first), strings.ToLower(last), o.pick(o.hosts), o.pick(o.countries), o.chance(12))
	total := o.items(&text)
	fmt.Fprintf(&text, `"total":%d.%02d,"currency":"%s","note":%s,"tags":["%s"]}`,
		total/100, total%100, o.pick(o.currencies), o.note(), strings.Join(o.some(o.labels, o.between(1, 3)), `","`))
	return text.String()
}

// items adds what was ordered, and returns the price of all in cents.
func (o *orders) items(text *strings.Builder) (total int) {
	text.WriteString(`"items":[`)
	for i := range o.between(1, 3) {
		if i > 0 {
			text.WriteByte(',')
		}
		price, quantity := o.between(199, 24_999), o.between(1, 4)
		total += price * quantity
		fmt.Fprintf(text, `{"sku":"%c%c-%05d","title":"%s %s","quantity":%d,"unit_price":%d.%02d}`,
			'A'+o.n(26), 'A'+o.n(26), o.n(100_000), o.pick(o.adjectives), o.pick(o.products), quantity, price/100, price%100)
	}
	text.WriteString(`],`)
	return total
}

func (o *orders) uuid() string {
	return o.hex(8) + "-" + o.hex(4) + "-4" + o.hex(3) + "-a" + o.hex(3) + "-" + o.hex(12)
}

func (o *orders) instant() string {
	return fmt.Sprintf("2026-%02d-%02dT%02d:%02d:%02d.%03dZ", o.between(1, 12), o.between(1, 28), o.n(24), o.n(60), o.n(60), o.n(1000))
}

// note returns a remark or two in JSON, or null.
func (o *orders) note() string {
	if o.chance(60) {
		return "null"
	}
	return `"` + o.pick(o.remarks) + " " + o.pick(o.remarks) + `"`
}

// jsonPicture returns a document of which nearly all is a picture in base64.
func jsonPicture(picture []byte) []byte {
	return fmt.Appendf(nil, `{"id":4711,"name":"harbour.png","type":"image/png","size":%d,"data":"data:image/png;base64,%s"}`,
		len(picture), base64.StdEncoding.EncodeToString(picture))
}

// smallBody returns 115 bytes as an API answers with if there is nothing. Little in
// them occurs twice, so that gzip adds more to them than it finds; some words are among
// those that brotli knows from the start.
func smallBody() []byte {
	return []byte(`{"status":404,"error":"Not Found","message":"There is no product with this number in the database","code":"X-1042"}`)
}

// The words that orders are made of.
const (
	firstNames = "Ada Amir Anna Ben Carla Chen Daria Elif Emil Farah Grace Hana Ines Ivan Jana Jonas Kofi Lena Liam Lucia Maja Marco Mei Mila Nadia Noah Olga Omar Paul Priya Rosa Sami Sofia Tariq Theo Uma Vera Wei Yara Zoe"
	lastNames  = "Adler Baker Bianchi Chen Costa Dubois Eriksen Fischer Garcia Haddad Hansen Ito Jensen Kaya Keller Khan Kowalski Larsen Lopez Martin Meyer Moreau Nakamura Novak Okafor Olsen Patel Petrov Rossi Santos Sato Schmidt Silva Singh Tanaka Vogel Wagner Weber Yilmaz Zhang"
	mailHosts  = "example.com example.org example.net mail.example post.example"
	countries  = "AT BE CH CZ DE DK ES FI FR GB IE IT JP NL NO PL PT SE TR US"
	currencies = "EUR EUR USD GBP"
	statuses   = "paid paid paid shipped shipped pending cancelled refunded"
	adjectives = "Compact Classic Linen Walnut Steel Folding Ceramic Woven Soft Recycled Outdoor Slim Large Small Travel Double"
	products   = "Lamp Chair Kettle Blanket Shelf Backpack Bottle Desk Notebook Clock Pillow Basket Mug Tray Stool Umbrella Radio Mirror Rug Vase"
	labels     = "gift express fragile repeat newsletter wholesale preorder outlet"
	remarks    = `Please leave the parcel with the neighbour.
Ring twice.
Second delivery attempt.
Gift wrapping was asked for.
The invoice goes to the office.
Customer called about the color.
Deliver after six.
Address was corrected by hand.
Part of the order follows next week.
Paid in advance.
Wait for the missing lid.
No paper, please.`
)
