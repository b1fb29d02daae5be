package collector_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/collector/login"
	"kafka-retention-exporter/model"
)

// identity is a self-signed certificate for 127.0.0.1, in memory and in files.
type identity struct {
	pair      tls.Certificate
	cert, key string
}

func newIdentity(t *testing.T) identity {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	id := identity{cert: filepath.Join(t.TempDir(), "cert.pem"), key: filepath.Join(t.TempDir(), "key.pem")}
	writePEM(t, id.cert, "CERTIFICATE", certificate)
	writePEM(t, id.key, "PRIVATE KEY", pkcs8)
	if id.pair, err = tls.LoadX509KeyPair(id.cert, id.key); err != nil {
		t.Fatal(err)
	}
	return id
}

func writePEM(t *testing.T, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// bare is a cluster without the preparing client of fake, which speaks plaintext.
func bare(t *testing.T, options ...kfake.Opt) collector.Config {
	t.Helper()
	cluster, err := kfake.NewCluster(append(options, kfake.NumBrokers(1), kfake.SeedTopics(1, "orders"),
		kfake.BrokerConfigs(map[string]string{"log.cleaner.backoff.ms": "315360000000", "log.retention.check.interval.ms": "1000"}))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	config := collector.Default()
	config.Brokers = cluster.ListenAddrs()
	return config
}

func TestLoginWithEachMechanism(t *testing.T) {
	for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
		t.Run(mechanism, func(t *testing.T) {
			config := bare(t, kfake.EnableSASL(), kfake.Superuser(mechanism, "monitor", "correct"))
			path := filepath.Join(t.TempDir(), "password")
			write := func(password string) {
				t.Helper()
				if err := os.WriteFile(path, []byte(password+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("wrong-secret")
			config.SASL = loginAs(t, login.Settings{Mechanism: mechanism, Username: "monitor", PasswordFile: path})
			c := newCollector(t, config)
			now := clock()
			// kfake closes the connection where a broker names the error; see
			// TestRefusedLoginIsOneClearProblem for that.
			if s := poll(t, c, now); s.Reached || len(s.Problems) != 1 || strings.Contains(s.Problems[0].Detail, "wrong-secret") {
				t.Errorf("reached %v, problems: %+v", s.Reached, s.Problems)
			}

			write("correct") // rotated, without a restart
			if s := pollWhole(t, c, now); !s.Reached || len(s.Topics) != 1 {
				t.Errorf("snapshot: %+v", s)
			}
		})
	}
}

func TestRefusedLoginIsOneClearProblem(t *testing.T) {
	f := newFake(t)
	f.answer(kmsg.SASLHandshake, func(r kmsg.Request) kmsg.Response { return r.ResponseKind() })
	f.answer(kmsg.SASLAuthenticate, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.SASLAuthenticateResponse)
		response.ErrorCode = kerr.SaslAuthenticationFailed.Code
		return response
	})
	config := f.config()
	config.SASL = plain.Auth{User: "monitor", Pass: "wrong-secret"}.AsMechanism()
	s := poll(t, newCollector(t, config), clock())
	if p := problem(t, s, model.StageMetadata, "sasl"); s.Reached || len(s.Problems) != 1 || strings.Contains(p.Detail, "wrong-secret") {
		t.Errorf("reached %v, problems: %+v", s.Reached, s.Problems)
	}
}

func TestTLSWithClientCertificate(t *testing.T) {
	server, client := newIdentity(t), newIdentity(t)
	pool := x509.NewCertPool()
	pool.AddCert(client.pair.Leaf)
	config := bare(t, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{server.pair}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}))
	config.TLS = &collector.TLSFiles{CA: server.cert, Cert: client.cert, Key: client.key}
	pollWhole(t, newCollector(t, config), clock())

	t.Run("without the certificate", func(t *testing.T) {
		config := config
		config.TLS = &collector.TLSFiles{CA: server.cert}
		problem(t, poll(t, newCollector(t, config), clock()), model.StageMetadata, "tls")
	})
	t.Run("through a dialer", func(t *testing.T) {
		config := config
		config.Dial = (&net.Dialer{}).DialContext
		pollWhole(t, newCollector(t, config), clock())
	})
}

func TestMismatchOfProtocolsIsOneClearProblem(t *testing.T) {
	server := newIdentity(t)
	trusting, doubting := &collector.TLSFiles{CA: server.cert}, &collector.TLSFiles{CA: newIdentity(t).cert}
	secure := kfake.TLS(&tls.Config{Certificates: []tls.Certificate{server.pair}})
	for name, test := range map[string]struct {
		cluster []kfake.Opt
		change  func(*collector.Config)
		cause   string
	}{
		"plaintext to TLS": {[]kfake.Opt{secure}, func(*collector.Config) {}, "tls"},
		"TLS to plaintext": {nil, func(c *collector.Config) { c.TLS, c.Brokers = trusting, []string{hangUp(t)} }, "tls"},
		"unknown CA":       {[]kfake.Opt{secure}, func(c *collector.Config) { c.TLS = doubting }, "tls"},
		"login missing":    {[]kfake.Opt{kfake.EnableSASL()}, func(*collector.Config) {}, "sasl"},
		"no such host":     {nil, func(c *collector.Config) { c.Brokers = []string{"no-such-host.invalid:9092"} }, "unreachable"},
	} {
		t.Run(name, func(t *testing.T) {
			config := bare(t, test.cluster...)
			test.change(&config)
			s := poll(t, newCollector(t, config), clock())
			problem(t, s, model.StageMetadata, test.cause)
			if s.Reached || len(s.Problems) != 1 {
				t.Errorf("reached %v, problems %+v", s.Reached, s.Problems)
			}
		})
	}
}

// hangUp is a listener that closes connections after the first bytes, as a broker does with a TLS
// greeting on a plaintext port: it reads as a request larger than socket.request.max.bytes. kfake
// waits for the rest of it instead.
func hangUp(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1024))
			conn.Close()
		}
	}()
	return listener.Addr().String()
}

// loginAs makes a login whose secret is in a file.
func loginAs(t *testing.T, s login.Settings) sasl.Mechanism {
	t.Helper()
	mechanism, err := login.New(s, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return mechanism
}

// TestRenewedAuthorityIsUsedWithoutARestart: the brokers' certificate changes hands, and so does
// the file that says whom to trust.
func TestRenewedAuthorityIsUsedWithoutARestart(t *testing.T) {
	old, renewed := newIdentity(t), newIdentity(t)
	config := bare(t, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{renewed.pair}}))
	config.TLS = &collector.TLSFiles{CA: old.cert}
	c, now := newCollector(t, config), clock()
	problem(t, poll(t, c, now), model.StageMetadata, "tls")
	text, err := os.ReadFile(renewed.cert)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old.cert, text, 0o600); err != nil {
		t.Fatal(err)
	}
	pollWhole(t, c, now)
}
