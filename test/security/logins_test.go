package security

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestLoginsByTokenAndTicket has a broker with a listener for tokens and one for tickets, and one
// program for each way to come by them. What they hold is shown nowhere.
func TestLoginsByTokenAndTicket(t *testing.T) {
	kafkatest.Require(t)
	tickets := newKDC(t)
	tokens, krb := tokenListener(t), ticketListener(t, tickets)
	c := kafkatest.Start(t, kafkatest.Options{
		Properties: tokens.and(krb).properties(),
		JVM:        []string{"-Djava.security.krb5.conf=" + tickets.config},
	})
	ctx := c.Context(2 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "t", Configs: map[string]string{"retention.ms": "600000"}}))
	_, err := c.Produce(ctx, "t", 0, 100, time.Now())
	c.Must(err)
	c.Must(c.Commit(ctx, "g", "t", 0, 0))

	binary, service := endtoend.Build(t), newTokenService(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(unsigned("from-a-file", time.Now().Add(time.Hour))), 0o600); err != nil {
		t.Fatal(err)
	}
	late := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(late, []byte(unsigned("too-late", time.Now().Add(-time.Hour))), 0o600); err != nil {
		t.Fatal(err)
	}
	tickets.withPassword(t, "by-password", userPassword)
	programs := map[string]*endtoend.Program{}
	for name, p := range map[string]login{
		"token from a file":    {tokens.address, "", []string{"mechanism=OAUTHBEARER", "token-file=" + file}, true},
		"token from a service": {tokens.address, userPassword, []string{"mechanism=OAUTHBEARER", "username=exporter", "token-url=" + service}, true},
		"ticket by keytab": {krb.address, "", []string{
			"mechanism=GSSAPI", "username=exporter", "krb5-file=" + tickets.config, "keytab-file=" + tickets.principal(t, "exporter"),
		}, true},
		"ticket by password":                        {krb.address, userPassword, []string{"mechanism=GSSAPI", "username=by-password", "krb5-file=" + tickets.config}, true},
		"token that has expired":                    {tokens.address, "", []string{"mechanism=OAUTHBEARER", "token-file=" + late}, false},
		"token that a service refuses":              {tokens.address, wrongPassword, []string{"mechanism=OAUTHBEARER", "username=exporter", "token-url=" + service}, false},
		"ticket by yesterday's password":            {krb.address, wrongPassword, []string{"mechanism=GSSAPI", "username=by-password", "krb5-file=" + tickets.config}, false},
		"signature where none is asked for":         {tokens.address, "", []string{"mechanism=AWS_MSK_IAM"}, false},
		"password where a token or ticket is asked": {tokens.address, wrongPassword, []string{"mechanism=SCRAM-SHA-512", "username=exporter"}, false},
	} {
		programs[name] = p.run(t, binary)
		if p.succeeds {
			programs[name].Await(t, name+": the group's lag", endtoend.Patience, func(page endtoend.Page) bool {
				return page[`group_lag_records{consumergroup="g",partition="0",topic="t"}`] == 1
			})
			continue
		}
		programs[name].Await(t, name+": that nobody is reached", endtoend.Patience, func(page endtoend.Page) bool {
			return page["polls_total"] >= 1 && page["up"] == 0
		})
		if causes := warned(programs[name]); !slices.Equal(causes, []string{"sasl"}) {
			t.Errorf("%s: the log warns of %q:\n%s", name, causes, programs[name].Log())
		}
	}
	nothingShown(t, programs, userPassword, wrongPassword, signingKey, sessionToken, "eyJ", privateKey)
}

// What AWS' tools find in the environment; "eyJ" begins every token of ours.
const (
	signingKey   = "aws-signs-with-this-4714"
	sessionToken = "aws-session-4715"
)

// login is one way to try to get in.
type login struct {
	address  string
	password string
	flags    []string
	succeeds bool
}

func (l login) run(t *testing.T, binary string) *endtoend.Program {
	t.Helper()
	var flags []string
	for _, f := range l.flags {
		flags = append(flags, "--kafka.sasl."+f)
	}
	env := []string{"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY=" + signingKey, "AWS_SESSION_TOKEN=" + sessionToken}
	if l.password != "" {
		env = append(env, "KAFKA_SASL_PASSWORD="+l.password)
	}
	return endtoend.Run(t, binary, []string{l.address}, env, flags...)
}

// listener is one more listener of a broker.
type listener struct {
	name, address string
	more          map[string]string // its properties, without listener.name.x.
}

// listeners are those of a broker together.
type listeners []listener

func (l listener) and(others ...listener) listeners { return append(listeners{l}, others...) }

func (all listeners) properties() map[string]string {
	var addresses, protocols []string
	out := map[string]string{"sasl.kerberos.service.name": "kafka"}
	for _, l := range all {
		addresses = append(addresses, strings.ToUpper(l.name)+"://"+l.address)
		protocols = append(protocols, strings.ToUpper(l.name)+":SASL_PLAINTEXT")
		for key, value := range l.more {
			out["listener.name."+l.name+"."+key] = value
		}
	}
	out["listeners+"], out["advertised.listeners+"] = strings.Join(addresses, ","), strings.Join(addresses, ",")
	out["listener.security.protocol.map+"] = strings.Join(protocols, ",")
	return out
}

func freeAddress(t *testing.T) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(kafkatest.FreePort(t)))
}

// tokenListener takes unsigned tokens, which Kafka's own validator for trials does.
func tokenListener(t *testing.T) listener {
	return listener{"tokens", freeAddress(t), map[string]string{
		"sasl.enabled.mechanisms":      "OAUTHBEARER",
		"oauthbearer.sasl.jaas.config": `org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`,
	}}
}

func ticketListener(t *testing.T, k *kdc) listener {
	const broker = "kafka/127.0.0.1"
	return listener{"tickets", freeAddress(t), map[string]string{
		"sasl.enabled.mechanisms": "GSSAPI",
		"gssapi.sasl.jaas.config": fmt.Sprintf(`com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab="%s" principal="%s@%s";`,
			k.principal(t, broker), broker, realm),
	}}
}

// unsigned is a token that says who holds it.
func unsigned(holder string, until time.Time) string {
	part := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	return part(`{"alg":"none"}`) + "." + part(fmt.Sprintf(`{"sub":%q,"iat":%d,"exp":%d}`, holder, time.Now().Unix()-1, until.Unix())) + "."
}

// newTokenService gives whoever knows the password a token.
func newTokenService(t *testing.T) (address string) {
	t.Helper()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		user, password, _ := req.BasicAuth()
		if password != userPassword {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token":%q,"token_type":"bearer","expires_in":3600}`, unsigned(user, time.Now().Add(time.Hour)))
	}))
	t.Cleanup(service.Close)
	return service.URL
}
