package collector

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// TLSFiles names what TLS to the brokers is made of. Empty fields are left at Go's defaults. The
// files are read for every connection, so that renewed ones are used without a restart.
type TLSFiles struct {
	CA, Cert, Key      string // PEM files; Cert and Key together, for mTLS
	ServerName         string // to expect in the brokers' certificates instead of the host connected to
	InsecureSkipVerify bool
}

// config reads the files.
func (f TLSFiles) config() (*tls.Config, error) {
	config := &tls.Config{
		MinVersion:         tls.VersionTLS12,
		ServerName:         f.ServerName,
		InsecureSkipVerify: f.InsecureSkipVerify,
	}
	if f.CA != "" {
		pool, err := authorities(f.CA)
		if err != nil {
			return nil, err
		}
		config.RootCAs = pool
	}
	if (f.Cert == "") != (f.Key == "") {
		return nil, &ConfigError{"TLS", "want a certificate and its key together"}
	}
	if f.Cert != "" {
		pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
		if err != nil {
			return nil, fmt.Errorf("read client certificate: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

func authorities(path string) (*x509.CertPool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read CA file: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("read CA file: %s holds no certificate", path)
	}
	return pool, nil
}
