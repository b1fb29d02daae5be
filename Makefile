# The same steps as test/run, one by one, and the binary.

VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
REVISION := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
PKG      := github.com/prometheus/common/version
LDFLAGS  := -s -w -X $(PKG).Version=$(VERSION) -X $(PKG).Revision=$(REVISION)

.PHONY: build test check full docs vectors image clean

build: ## the static binary
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o kafka-retention-exporter .

test: ## what runs with Go alone
	go test ./...

check: ## everything, real broker included; what CI runs
	test/run

full: ## the long forms
	test/full

docs: ## write the generated tables into README.md and alerts/README.md
	go test -run '^TestReadmeTables$$' . ./alerts -update

vectors: ## record the committed sample anew from Kafka's own log class
	test/oracle/run.sh --out model/testdata/vectors --seed 2026 --logs 60

image: ## the container image
	docker build --build-arg VERSION=$(VERSION) --build-arg REVISION=$(REVISION) -t kafka-retention-exporter .

clean:
	rm -rf kafka-retention-exporter .cache
