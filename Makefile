# make run          build the command and compress a copy of testdata/site
# make test         the tests, without those that take long; last, which programs they miss
# make test-all     all tests
# make race         the tests under the race detector, but for encoders and examples
# make fuzz         every fuzz target for FUZZTIME
# make lint         gofmt, go mod tidy, vet for several systems, staticcheck, actionlint
# make bench        all benchmarks
# make bench-serve  this server and others side by side, under load on loopback
# make check        what CI runs: lint, test-all, race, fuzz

GO          ?= go
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT  ?= $(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
FUZZTIME    ?= 10s

# On x86-64, let the binary use what this machine's processor has: the same
# bytes in about 8 % less time.
GOAMD64 ?= $(shell for flag in avx2 bmi1 bmi2 f16c fma abm movbe; do \
             grep -qsw $$flag /proc/cpuinfo || { echo v1; exit; }; done; echo v3)

.PHONY: build run test test-all race fuzz bench bench-serve lint check

build:
	GOAMD64=$(GOAMD64) $(GO) build -o bin/precompress ./cmd/precompress

run: build
	rm -rf bin/site
	cp -R testdata/site bin/site
	bin/precompress --no-cache bin/site

# Prints what go test prints, and then what was missing and skipped.
SUMMARY = $(GO) run ./internal/testsummary $(GO) test -json -timeout 20m

test:
	$(SUMMARY) -short ./...

test-all:
	$(SUMMARY) ./...

# Without examples, whose tests run other programs, and without what is about the
# encoders, which have one goroutine and take minutes under the detector.
race:
	$(GO) test -race -short -timeout 30m -skip 'Format|Framing|GzipBeyond|Finding|BenchProgress' $$($(GO) list ./... | grep -v -e /examples$$ -e /internal/codec/)

# Every fuzz target for FUZZTIME each. When that is over, go test now and then says
# "context deadline exceeded" and fails, without an input that does: the target then
# gets a second try.
fuzz:
	@log=$$(mktemp); trap 'rm -f $$log' EXIT; \
	for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    echo "fuzz $$package $$target"; \
	    run="$(GO) test -run ^$$ -fuzz ^$$target$$ -fuzztime $(FUZZTIME) $$package"; \
	    $$run >$$log 2>&1 && ok=yes || ok=no; \
	    cat $$log; \
	    test $$ok = yes || { ! grep -q 'Failing input' $$log && grep -q '^ *context deadline exceeded' $$log && $$run; } || exit 1; \
	  done; \
	done

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Needs wrk. Caddy is built if it is not there; nginx is left out then.
BENCH_SERVE ?= -rounds 15 -turn 2s
CADDY       ?= github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.9

bench-serve: build
	command -v caddy >/dev/null || test -x bin/caddy || GOBIN=$(CURDIR)/bin $(GO) install $(CADDY)
	cd testdata/bench-serve && PATH="$$PATH:$(CURDIR)/bin" $(GO) run . -command $(CURDIR)/bin/precompress $(BENCH_SERVE)

lint:
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(GO) mod tidy -diff
	$(GO) vet ./...
	GOOS=darwin GOARCH=arm64 $(GO) vet ./...
	GOOS=windows GOARCH=amd64 $(GO) vet ./...
	GOARCH=386 $(GO) vet ./...
	$(STATICCHECK) ./...
	$(ACTIONLINT) .github/workflows/*.yml examples/github-actions/*.yml

check: lint test-all race fuzz
