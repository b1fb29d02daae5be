package collector_test

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
)

// TestRenewedClientCertificateIsUsedWithoutARestart: the one that brokers no longer take is replaced
// where it lies, key and all.
func TestRenewedClientCertificateIsUsedWithoutARestart(t *testing.T) {
	server, old, renewed := newIdentity(t), newIdentity(t), newIdentity(t)
	pool := x509.NewCertPool()
	pool.AddCert(renewed.pair.Leaf)
	config := bare(t, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{server.pair}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}))
	config.TLS = &collector.TLSFiles{CA: server.cert, Cert: old.cert, Key: old.key}
	c, now := newCollector(t, config), clock()
	problem(t, poll(t, c, now), model.StageMetadata, "tls")
	for from, to := range map[string]string{renewed.cert: old.cert, renewed.key: old.key} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pollWhole(t, c, now)
}
