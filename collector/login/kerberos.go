package login

import (
	"context"
	"fmt"

	"github.com/jcmturner/gokrb5/v8/client"
	krb5 "github.com/jcmturner/gokrb5/v8/config"
	"github.com/jcmturner/gokrb5/v8/keytab"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/kerberos"
)

// Kerberos says whose tickets are wanted and how to get them.
type Kerberos struct {
	ConfigFile string // krb5.conf
	KeytabFile string // instead of a password
	Realm      string // empty: the configuration's default_realm
	Service    string // first part of the brokers' principals, sasl.kerberos.service.name of Kafka's clients
}

// kerberos logs in with a Kerberos ticket (GSSAPI). Files are read at every login.
func (s Settings) kerberos(env Lookup) (sasl.Mechanism, error) {
	if s.Username == "" {
		return nil, fmt.Errorf("username: mechanism %s wants one", s.Mechanism)
	}
	var password secret
	if s.Kerberos.KeytabFile == "" {
		var err error
		if password, err = s.credentials(env); err != nil {
			return nil, fmt.Errorf("%w (or keytab-file)", err)
		}
	}
	if _, err := s.ticketClient(password); err != nil {
		return nil, err
	}
	return kerberos.Kerberos(func(context.Context) (kerberos.Auth, error) {
		c, err := s.ticketClient(password)
		return kerberos.Auth{Client: c, Service: s.Kerberos.Service}, err
	}), nil
}

// ticketClient is a client of its own for each login; franz-go destroys it afterwards. It asks
// nobody until it is used.
func (s Settings) ticketClient(password secret) (*client.Client, error) {
	cfg, err := krb5.Load(s.Kerberos.ConfigFile)
	if err != nil {
		return nil, fmt.Errorf("krb5-file: %w", err)
	}
	realm := s.Kerberos.Realm
	if realm == "" {
		realm = cfg.LibDefaults.DefaultRealm
	}
	// Active Directory knows no FAST (RFC 6113), and an MIT KDC does without.
	plain := client.DisablePAFXFAST(true)
	if s.Kerberos.KeytabFile != "" {
		keys, err := keytab.Load(s.Kerberos.KeytabFile)
		if err != nil {
			return nil, fmt.Errorf("keytab-file: %w", err)
		}
		return client.NewWithKeytab(s.Username, realm, keys, cfg, plain), nil
	}
	text, err := password()
	if err != nil {
		return nil, fmt.Errorf("password-file: %w", err)
	}
	return client.NewWithPassword(s.Username, realm, text, cfg, plain), nil
}
