package security

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// authority signs certificates for 127.0.0.1.
type authority struct {
	folder string
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
	file   string // its own certificate, PEM
}

// credentials are the files of one certificate, PEM. Both is key, certificate and authority in one
// file, as brokers take it.
type credentials struct{ cert, key, both string }

func newAuthority(t *testing.T, name string) authority {
	t.Helper()
	template := certificateFor(name)
	template.IsCA, template.KeyUsage = true, x509.KeyUsageCertSign
	a := authority{folder: t.TempDir(), cert: template}
	a.key = newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	if err != nil {
		t.Fatalf("make authority %s: %v", name, err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatalf("make authority %s: %v", name, err)
	}
	a.file = a.write(t, name+".pem", block("CERTIFICATE", der))
	return a
}

// sign makes a certificate that servers and clients can show.
func (a authority) sign(t *testing.T, name string) credentials {
	t.Helper()
	key := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, certificateFor(name), a.cert, key.Public(), a.key)
	if err != nil {
		t.Fatalf("sign certificate of %s: %v", name, err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatalf("sign certificate of %s: %v", name, err)
	}
	private, cert := block("PRIVATE KEY", pkcs8), block("CERTIFICATE", der)
	return credentials{
		cert: a.write(t, name+".crt", cert),
		key:  a.write(t, name+".key", private),
		both: a.write(t, name+".pem", private, cert, block("CERTIFICATE", a.cert.Raw)),
	}
}

func (a authority) write(t *testing.T, name string, blocks ...[]byte) (path string) {
	t.Helper()
	path = filepath.Join(a.folder, name)
	if err := os.WriteFile(path, bytes.Join(blocks, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func certificateFor(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}
