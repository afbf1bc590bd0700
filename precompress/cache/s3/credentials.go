package s3

import (
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// How long services that issue credentials may take to answer. Many machines have none,
// and requests to its address may get lost.
const (
	patience        = 2 * time.Second
	machinePatience = time.Second
)

// provider looks for credentials in the places where Amazon's own programs do:
// the environment, the shared files, and the services that a machine, a
// container or an identity token has. Where there are none, requests are
// anonymous: that is enough to read a public cache. Credentials that were found
// are looked up again when they expire.
type provider struct {
	places []credentials.Provider
	found  credentials.Provider
	none   atomic.Bool // there are no credentials
}

// newProvider returns the provider for a store. The machine's own service is asked only
// for Amazon's stores: elsewhere nobody answers at its address.
func newProvider(amazon bool) *provider {
	p := &provider{places: []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}}
	wait := time.Duration(0)
	if amazon && !strings.EqualFold(os.Getenv("AWS_EC2_METADATA_DISABLED"), "true") {
		wait = machinePatience
	}
	for _, name := range []string{
		"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
	} {
		if os.Getenv(name) != "" {
			wait = patience
		}
	}
	if wait > 0 {
		p.places = append(p.places, &credentials.IAM{Client: &http.Client{Timeout: wait}})
	}
	return p
}

// RetrieveWithCredContext implements [credentials.Provider].
func (p *provider) RetrieveWithCredContext(cc *credentials.CredContext) (credentials.Value, error) {
	for _, place := range p.places {
		value, err := place.RetrieveWithCredContext(cc)
		if err == nil && value.AccessKeyID != "" && value.SecretAccessKey != "" {
			p.found = place
			return value, nil
		}
	}
	p.none.Store(true)
	return credentials.Value{SignerType: credentials.SignatureAnonymous}, nil
}

// Retrieve implements [credentials.Provider].
func (p *provider) Retrieve() (credentials.Value, error) { return p.RetrieveWithCredContext(nil) }

// IsExpired implements [credentials.Provider].
func (p *provider) IsExpired() bool {
	return !p.none.Load() && (p.found == nil || p.found.IsExpired())
}

// absent returns why requests are anonymous, "" if they are not.
func (p *provider) absent() string {
	id, secret, profile := os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_PROFILE")
	switch {
	case !p.none.Load():
		return ""
	case (id == "") != (secret == ""):
		return "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set"
	case profile != "":
		return "the profile that AWS_PROFILE names has no credentials that can be used"
	}
	return "no credentials were found"
}
