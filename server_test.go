package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/test/locked"
)

const (
	scrapePassword = "letmein-4716"
	// hashed is that password as the web configuration wants it.
	hashed = "$2a$04$DARWFOs5VfmxoIPvaPj7teWE/VzRqrxlOcpIvOelZuLKICsJ/.0NO"
)

// TestWebConfiguration serves with TLS to those who know a password, and shows neither it nor its hash.
func TestWebConfiguration(t *testing.T) {
	folder, authority := t.TempDir(), webCertificate(t)
	for name, text := range map[string]string{
		"cert.pem": authority.cert, "key.pem": authority.key,
		"web.yml": "tls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\nbasic_auth_users:\n  prometheus: " + hashed + "\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	address := freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var log locked.Buffer
	exit := make(chan int, 1)
	go func() {
		none := func(string) (string, bool) { return "", false }
		exit <- run(ctx, []string{"--kafka.brokers=" + freeAddress(t), "--web.listen-address=" + address, "--web.config.file=" + filepath.Join(folder, "web.yml")}, none, io.Discard, &log)
	}()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authority.pool}}}
	status := func(scheme, password string) int {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+address+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		if password != "" {
			request.SetBasicAuth("prometheus", password)
		}
		answer, err := client.Do(request)
		if err != nil {
			return 0
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	for end := time.Now().Add(patience); status("https", scrapePassword) != http.StatusOK; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no page over TLS with the password:\n%s", log.String())
		}
	}
	for password, want := range map[string]int{"": http.StatusUnauthorized, "wrong": http.StatusUnauthorized} {
		if got := status("https", password); got != want {
			t.Errorf("password %q: status %d, want %d", password, got, want)
		}
	}
	if got := status("http", scrapePassword); got == http.StatusOK {
		t.Error("a page over plain HTTP")
	}
	stop()
	if code := <-exit; code != 0 {
		t.Errorf("exit %d", code)
	}
	if text := log.String(); strings.Contains(text, scrapePassword) || strings.Contains(text, hashed) || strings.Contains(text, "PRIVATE KEY") {
		t.Errorf("a secret is in the log:\n%s", text)
	}
}

// TestServerBoundsWhatAClientMayCost: nobody may take for ever to ask or to read, or ask in megabytes.
func TestServerBoundsWhatAClientMayCost(t *testing.T) {
	var sent error
	server := newServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) { _, sent = io.ReadAll(req.Body) }))
	if server.ReadHeaderTimeout <= 0 || server.ReadTimeout <= 0 || server.WriteTimeout <= 0 || server.IdleTimeout <= 0 {
		t.Errorf("a client may take for ever: %+v", server)
	}
	running := httptest.NewUnstartedServer(nil)
	running.Config = server
	running.Start()
	defer running.Close()
	ask := func(header int, body string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, running.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Long", strings.Repeat("x", header))
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	if got := ask(1000, ""); got != http.StatusOK || sent != nil {
		t.Errorf("a common request: status %d, %v", got, sent)
	}
	if got := ask(100_000, ""); got != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("100 kB of headers: status %d", got)
	}
	if ask(0, "body"); sent == nil {
		t.Error("a body is read")
	}
}

// webIdentity is a certificate for 127.0.0.1, its key, and who trusts it.
type webIdentity struct {
	cert, key string
	pool      *x509.CertPool
}

// webCertificate is the one of Go's own test server.
func webCertificate(t *testing.T) webIdentity {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	key, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	text := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return webIdentity{text("CERTIFICATE", server.Certificate().Raw), text("PRIVATE KEY", key), pool}
}
