package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"path"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"golang.org/x/sync/semaphore"

	"github.com/precompress/precompress/precompress/cache"
)

const (
	// memory bounds the bytes of objects that are being received at a time; a larger
	// object is received alone.
	memory = 32 << 20
	// maxErrorBody bounds what is read of a response without success, in bytes.
	maxErrorBody = 64 << 10
)

// Store is a prefix of a bucket, as [Open] returns it. It implements [cache.Remote].
type Store struct {
	address address
	client  minio.Core
	creds   *provider
	memory  *semaphore.Weighted

	getFirst time.Duration // until the first byte of a response
	putFirst time.Duration // from the last byte of an object until the response
	window   time.Duration // within which bytes have to move
	rate     int64         // bytes per second at least
}

var _ cache.Remote = (*Store)(nil)

// Open returns the store at an address of the form
//
//	s3://BUCKET/PREFIX?endpoint=URL&region=NAME
//
// of which only the bucket is required. The rest comes from the environment, as with
// Amazon's own programs: the endpoint from AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, the
// region from AWS_REGION or AWS_DEFAULT_REGION, and the credentials from
// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, AWS_PROFILE and the
// shared files, web identity tokens, and the services of containers and machines.
// Without credentials, requests are anonymous.
//
// Open sends nothing. Its errors are about the address and the environment, and hold no
// secrets.
func Open(text string) (*Store, error) {
	a, err := parseAddress(text)
	if err != nil {
		return nil, err
	}
	s := &Store{
		address: a,
		creds:   newProvider(a.amazon()),
		memory:  semaphore.NewWeighted(memory),
		// Stores answer within tens of milliseconds, and seldom need a second.
		getFirst: 2500 * time.Millisecond,
		putFirst: 4 * time.Second,
		window:   2 * time.Second,
		rate:     16 << 10,
	}
	client, err := minio.NewCore(a.endpoint.Host, &minio.Options{
		Creds:      credentials.New(s.creds),
		Secure:     a.endpoint.Scheme == "https",
		Region:     a.region,
		Transport:  newTransport(),
		MaxRetries: 1, // a failed lookup costs less than another attempt
	})
	if err != nil {
		return nil, fmt.Errorf("endpoint %s cannot be used: write it like https://HOST or https://HOST:PORT", a.endpoint.Host)
	}
	s.client = *client
	return s, nil
}

// String returns the address without its query.
func (s *Store) String() string { return "s3://" + path.Join(s.address.bucket, s.address.prefix) }

// object returns the name of a key's object, in one of 256 directories.
func (s *Store) object(key cache.Key) string {
	name := key.String()
	return path.Join(s.address.prefix, name[:2], name)
}

// Get implements [cache.Remote].
func (s *Store) Get(ctx context.Context, key cache.Key) ([]byte, error) {
	ctx, timer := requireProgress(ctx, s.getFirst, s.window, s.rate)
	defer timer.stop()
	body, info, _, err := s.client.GetObject(ctx, s.address.bucket, s.object(key), minio.GetObjectOptions{})
	if err != nil {
		return nil, s.explain(ctx, err)
	}
	defer body.Close()
	if info.Size > cache.MaxObject {
		return nil, errTooLarge
	}
	timer.pause()
	weight := min(max(info.Size, 0), memory)
	if info.Size < 0 { // the store does not say
		weight = memory
	}
	if err := s.memory.Acquire(ctx, weight); err != nil {
		return nil, s.explain(ctx, err)
	}
	defer s.memory.Release(weight)
	timer.begin(s.window)
	data, err := receive(progressReader{body, timer}, info.Size)
	if err != nil {
		return nil, s.explain(ctx, err)
	}
	return data, nil
}

// receive reads an object of this size; -1 if the store did not say.
func receive(r io.Reader, size int64) ([]byte, error) {
	if size < 0 {
		data, err := io.ReadAll(io.LimitReader(r, cache.MaxObject+1))
		if len(data) > cache.MaxObject {
			return nil, errTooLarge
		}
		return data, err
	}
	data := make([]byte, size)
	_, err := io.ReadFull(r, data)
	return data, err
}

// Put implements [cache.Remote].
func (s *Store) Put(ctx context.Context, key cache.Key, data []byte) error {
	ctx, timer := requireProgress(ctx, s.putFirst, s.putFirst, s.rate)
	defer timer.stop()
	sum := sha256.Sum256(data)
	// One request with a digest of its content: every store understands that.
	_, err := s.client.PutObject(ctx, s.address.bucket, s.object(key), progressReader{bytes.NewReader(data), timer}, int64(len(data)),
		"", hex.EncodeToString(sum[:]), minio.PutObjectOptions{
			ContentType:          "application/octet-stream",
			DisableContentSha256: true, // none per chunk
		})
	return s.explain(ctx, err)
}

// newTransport returns a transport that keeps as many connections as a build has
// lookups at a time, but not so long that the store may have closed them.
func newTransport() http.RoundTripper {
	return boundedErrors{&http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{KeepAlive: 15 * time.Second}).DialContext,
		MaxIdleConnsPerHost:    128,
		IdleConnTimeout:        5 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // objects have to arrive as they are
	}}
}

// boundedErrors keeps responses without success from filling memory.
type boundedErrors struct{ http.RoundTripper }

func (t boundedErrors) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.RoundTripper.RoundTrip(request)
	if err == nil && response.StatusCode >= 300 {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, maxErrorBody), response.Body}
	}
	return response, err
}
