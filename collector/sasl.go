package collector

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// SASL is how to log in to the brokers.
type SASL struct {
	Mechanism string // PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512
	Username  string
	// Password is called at every login, so that a rotated secret is used without a restart. An
	// error of it fails that login and is shown, so it must not hold the secret.
	Password func() (string, error)
}

// The mechanisms that can be named in SASL.
const (
	mechanismPlain    = "PLAIN"
	mechanismScram256 = "SCRAM-SHA-256"
	mechanismScram512 = "SCRAM-SHA-512"
)

// PasswordFile reads a password from a file at every call; the line end after it is not part of
// the password.
func PasswordFile(path string) func() (string, error) {
	return func() (string, error) {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("read password file: %w", err)
		}
		password := strings.TrimRight(string(text), "\r\n")
		if password == "" {
			return "", fmt.Errorf("read password file: %s is empty", path)
		}
		return password, nil
	}
}

// PasswordEnv reads a password from an environment variable through lookup (os.LookupEnv) at
// every call.
func PasswordEnv(name string, lookup func(string) (string, bool)) func() (string, error) {
	return func() (string, error) {
		password, ok := lookup(name)
		if !ok || password == "" {
			return "", fmt.Errorf("read password: environment variable %s is not set", name)
		}
		return password, nil
	}
}

func (s *SASL) validate() error {
	if s == nil {
		return nil
	}
	switch s.Mechanism {
	case mechanismPlain, mechanismScram256, mechanismScram512:
	default:
		return &ConfigError{"SASL.Mechanism", fmt.Sprintf("want %s, %s or %s, have %q", mechanismPlain, mechanismScram256, mechanismScram512, s.Mechanism)}
	}
	if s.Username == "" {
		return &ConfigError{"SASL.Username", "want a user name"}
	}
	if s.Password == nil {
		return &ConfigError{"SASL.Password", "want a file or an environment variable to read it from"}
	}
	return nil
}

// mechanism is the login as kgo wants it; the configuration has been validated.
func (s *SASL) mechanism() sasl.Mechanism {
	switch s.Mechanism {
	case mechanismScram256:
		return scram.Sha256(s.scram)
	case mechanismScram512:
		return scram.Sha512(s.scram)
	default:
		return plain.Plain(func(context.Context) (plain.Auth, error) {
			password, err := s.Password()
			return plain.Auth{User: s.Username, Pass: password}, err
		})
	}
}

func (s *SASL) scram(context.Context) (scram.Auth, error) {
	password, err := s.Password()
	return scram.Auth{User: s.Username, Pass: password}, err
}
