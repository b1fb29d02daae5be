// Package login is the ways to log in to Kafka brokers (SASL), made from settings. Secrets come
// from files or the environment, are read again at every login, so that a rotated one is used
// without a restart, and are in no error.
package login

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// Settings say how to log in. The names in errors are those of the fields in lower case with
// dashes, which is how the flags behind kafka.sasl. are called.
type Settings struct {
	Mechanism string // one of Mechanisms
	// Username is the user, the client id at a token service, or the principal without its realm.
	Username string
	// PasswordFile holds the password or the client secret; empty: see PasswordVariable.
	PasswordFile string

	// OAUTHBEARER: a file with the token, or a service that gives one for client id and secret
	// (RFC 6749 4.4).
	TokenFile, TokenURL       string
	TokenScope, TokenAudience string
	Kerberos                  Kerberos
}

// PasswordVariable is the environment variable for the password. There is no flag for it: every
// user of the machine can read a command line.
const PasswordVariable = "KAFKA_SASL_PASSWORD"

// Lookup reads an environment variable, as os.LookupEnv does.
type Lookup func(name string) (value string, ok bool)

// The mechanisms.
const (
	mechanismPlain    = "PLAIN"
	mechanismScram256 = "SCRAM-SHA-256"
	mechanismScram512 = "SCRAM-SHA-512"
	mechanismOAuth    = "OAUTHBEARER"
	mechanismMSK      = "AWS_MSK_IAM"
	mechanismKerberos = "GSSAPI"
)

// Mechanisms are the names that Settings takes.
func Mechanisms() []string {
	return []string{mechanismPlain, mechanismScram256, mechanismScram512, mechanismOAuth, mechanismMSK, mechanismKerberos}
}

// New makes the login; nil where no setting is given. Secrets are read once here, so that a missing
// file is said at the start.
func New(s Settings, env Lookup) (sasl.Mechanism, error) {
	if s.blank() {
		return nil, nil
	}
	if !slices.Contains(Mechanisms(), s.Mechanism) {
		return nil, fmt.Errorf("mechanism: want one of %s, have %q", strings.Join(Mechanisms(), ", "), s.Mechanism)
	}
	if err := s.strangers(); err != nil {
		return nil, err
	}
	switch s.Mechanism {
	case mechanismOAuth:
		return s.oauth(env)
	case mechanismMSK:
		return managedStreaming(), nil
	case mechanismKerberos:
		return s.kerberos(env)
	}
	return s.userAndPassword(env)
}

func (s Settings) blank() bool {
	s.Kerberos.ConfigFile, s.Kerberos.Service = "", "" // these have defaults
	return s == Settings{}
}

// strangers refuses settings that the mechanism would ignore: whoever names a keytab does not
// want to log in with a password.
func (s Settings) strangers() error {
	for _, one := range []struct {
		name  string
		given bool
		fits  []string
	}{
		{"username", s.Username != "", []string{mechanismPlain, mechanismScram256, mechanismScram512, mechanismOAuth, mechanismKerberos}},
		{"password-file", s.PasswordFile != "", []string{mechanismPlain, mechanismScram256, mechanismScram512, mechanismOAuth, mechanismKerberos}},
		{"token-file", s.TokenFile != "", []string{mechanismOAuth}},
		{"token-url", s.TokenURL != "", []string{mechanismOAuth}},
		{"token-scope", s.TokenScope != "", []string{mechanismOAuth}},
		{"token-audience", s.TokenAudience != "", []string{mechanismOAuth}},
		{"keytab-file", s.Kerberos.KeytabFile != "", []string{mechanismKerberos}},
		{"realm", s.Kerberos.Realm != "", []string{mechanismKerberos}},
	} {
		if one.given && !slices.Contains(one.fits, s.Mechanism) {
			return fmt.Errorf("%s: means nothing to mechanism %s", one.name, s.Mechanism)
		}
	}
	return nil
}

func (s Settings) userAndPassword(env Lookup) (sasl.Mechanism, error) {
	password, err := s.credentials(env)
	if err != nil {
		return nil, err
	}
	scrammed := func(context.Context) (scram.Auth, error) {
		secret, err := password()
		return scram.Auth{User: s.Username, Pass: secret}, err
	}
	switch s.Mechanism {
	case mechanismScram256:
		return scram.Sha256(scrammed), nil
	case mechanismScram512:
		return scram.Sha512(scrammed), nil
	}
	return plain.Plain(func(context.Context) (plain.Auth, error) {
		secret, err := password()
		return plain.Auth{User: s.Username, Pass: secret}, err
	}), nil
}

// credentials checks that there is a user and, right now, a password.
func (s Settings) credentials(env Lookup) (secret, error) {
	if s.Username == "" {
		return nil, fmt.Errorf("username: mechanism %s wants one", s.Mechanism)
	}
	password := fromVariable(PasswordVariable, env)
	if s.PasswordFile != "" {
		password = fromFile(s.PasswordFile)
	}
	if _, err := password(); err != nil {
		return nil, fmt.Errorf("password-file: %w", err)
	}
	return password, nil
}
