package login_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kafka-retention-exporter/collector/login"
)

func environment(pairs ...string) login.Lookup {
	return func(name string) (string, bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func file(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "secret")
	rewrite(t, path, text)
	return path
}

func rewrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWrongSettings has the exact message for each way to be wrong.
func TestWrongSettings(t *testing.T) {
	empty, good := file(t, "\n"), file(t, "secret\n")
	missing := filepath.Join(t.TempDir(), "missing")
	krb5 := login.Kerberos{ConfigFile: file(t, "[libdefaults]\n default_realm = TEST\n"), Service: "kafka"}
	for name, c := range map[string]struct {
		settings login.Settings
		want     string
	}{
		"unknown mechanism":   {login.Settings{Mechanism: "DIGEST"}, `mechanism: want one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER, AWS_MSK_IAM, GSSAPI, have "DIGEST"`},
		"no user":             {login.Settings{Mechanism: "PLAIN", PasswordFile: good}, "username: mechanism PLAIN wants one"},
		"no password":         {login.Settings{Mechanism: "PLAIN", Username: "u"}, "password-file: read secret: no file is named, and the environment variable KAFKA_SASL_PASSWORD is not set"},
		"missing file":        {login.Settings{Mechanism: "SCRAM-SHA-256", Username: "u", PasswordFile: missing}, "password-file: read secret: open " + missing + ": no such file or directory"},
		"empty file":          {login.Settings{Mechanism: "SCRAM-SHA-512", Username: "u", PasswordFile: empty}, "password-file: read secret: " + empty + " is empty"},
		"token without OAUTH": {login.Settings{Mechanism: "PLAIN", Username: "u", TokenFile: good}, "token-file: means nothing to mechanism PLAIN"},
		"user for MSK":        {login.Settings{Mechanism: "AWS_MSK_IAM", Username: "u"}, "username: means nothing to mechanism AWS_MSK_IAM"},
		"no token":            {login.Settings{Mechanism: "OAUTHBEARER"}, "token-file: mechanism OAUTHBEARER wants either it or token-url"},
		"two tokens":          {login.Settings{Mechanism: "OAUTHBEARER", TokenFile: good, TokenURL: "https://idp/token"}, "token-file: mechanism OAUTHBEARER wants either it or token-url"},
		"token and user":      {login.Settings{Mechanism: "OAUTHBEARER", TokenFile: good, Username: "u"}, "token-file: with it there is nobody to ask for a token, and no use for username, password-file, token-scope and token-audience"},
		"no address":          {login.Settings{Mechanism: "OAUTHBEARER", TokenURL: "idp", Username: "u", PasswordFile: good}, `token-url: want an address like https://host/path, have "idp"`},
		"no principal":        {login.Settings{Mechanism: "GSSAPI", Kerberos: krb5}, "username: mechanism GSSAPI wants one"},
		"no keytab":           {login.Settings{Mechanism: "GSSAPI", Username: "u", Kerberos: krb5}, "password-file: read secret: no file is named, and the environment variable KAFKA_SASL_PASSWORD is not set (or keytab-file)"},
		"no krb5.conf":        {login.Settings{Mechanism: "GSSAPI", Username: "u", PasswordFile: good, Kerberos: login.Kerberos{ConfigFile: missing}}, "krb5-file: configuration file could not be opened: " + missing + " open " + missing + ": no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := login.New(c.settings, environment())
			if err == nil || err.Error() != c.want {
				t.Errorf("have %v, want %s", err, c.want)
			}
		})
	}
}

func TestNoSettingsAreNoLogin(t *testing.T) {
	mechanism, err := login.New(login.Settings{Kerberos: login.Kerberos{ConfigFile: "/etc/krb5.conf", Service: "kafka"}}, environment())
	if mechanism != nil || err != nil {
		t.Errorf("have %v, %v", mechanism, err)
	}
}

// first is what a mechanism sends first.
func first(t *testing.T, s login.Settings, env login.Lookup) string {
	t.Helper()
	mechanism, err := login.New(s, env)
	if err != nil {
		t.Fatal(err)
	}
	_, sent, err := mechanism.Authenticate(context.Background(), "b-1.example.kafka.eu-central-1.amazonaws.com:9098")
	if err != nil {
		t.Fatal(err)
	}
	return string(sent)
}

func TestSecretsAreReadAtEachLogin(t *testing.T) {
	path := file(t, "old\r\n")
	s := login.Settings{Mechanism: "PLAIN", Username: "u", PasswordFile: path}
	both := environment(login.PasswordVariable, "other")
	mechanism, err := login.New(s, both)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"old", "new"} {
		_, sent, err := mechanism.Authenticate(context.Background(), "b:1")
		if err != nil || string(sent) != "\x00u\x00"+want {
			t.Errorf("sent %q, %v; want %s", sent, err, want)
		}
		rewrite(t, path, "new\n")
	}
	if got := first(t, login.Settings{Mechanism: "PLAIN", Username: "u"}, both); got != "\x00u\x00other" {
		t.Errorf("from the environment: %q", got)
	}
	if got := first(t, login.Settings{Mechanism: "OAUTHBEARER", TokenFile: path}, both); !strings.Contains(got, "auth=Bearer new\x01") {
		t.Errorf("from a token file: %q", got)
	}
}
