// Package page tests the status page in headless Chromium: what it says, that it works by
// keyboard, without a script and with 10,000 pairs, its names and contrasts, and what it looks like.
//
//	cd test/page && go test ./...          # needs Debian's chromium
//	cd test/page && go test ./... -update  # also writes the pictures to exporter/pictures
//
// The pages are those of the exporter over the real predictor; the cluster is made up
// (cluster_test.go), in virtual time, so that each run sees the same.
package page
