package security

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/kinds"
)

// The passwords of this broker, none of which may ever be shown. A wrong one is a secret too: it
// is mostly yesterday's, or another system's.
const (
	userPassword  = "open-sesame-4711"
	adminPassword = "superuser-secret-4712"
	wrongPassword = "yesterdays-secret-4713"
	privateKey    = "PRIVATE KEY" // begins every one
)

// secured is one broker with an authorizer and three listeners: SASL over TLS, TLS with client
// certificates, and plaintext, where the test is superuser. It holds three topics of ten records,
// and two groups of each kind that have three of them to read.
type secured struct {
	*kafkatest.Cluster
	ctx    context.Context
	binary string
	ca     authority
	sasl   string // addresses
	mutual string
	plain  string
}

func newSecured(t *testing.T) *secured {
	t.Helper()
	s := &secured{ca: newAuthority(t, "ca"), binary: endtoend.Build(t)}
	server := s.ca.sign(t, "broker")
	s.sasl = net.JoinHostPort("127.0.0.1", strconv.Itoa(kafkatest.FreePort(t)))
	s.mutual = net.JoinHostPort("127.0.0.1", strconv.Itoa(kafkatest.FreePort(t)))
	further := "SASL://" + s.sasl + ",MUTUAL://" + s.mutual
	s.Cluster = kafkatest.Start(t, kafkatest.Options{Properties: map[string]string{
		"listeners+":                           further,
		"advertised.listeners+":                further,
		"listener.security.protocol.map+":      "SASL:SASL_SSL,MUTUAL:SSL",
		"ssl.keystore.type":                    "PEM",
		"ssl.keystore.location":                server.both,
		"ssl.truststore.type":                  "PEM",
		"ssl.truststore.location":              s.ca.file,
		"listener.name.mutual.ssl.client.auth": "required",
		"sasl.enabled.mechanisms":              "SCRAM-SHA-512,PLAIN",
		"authorizer.class.name":                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
		"super.users":                          "User:admin;User:ANONYMOUS",
		"listener.name.sasl.plain.sasl.jaas.config": `org.apache.kafka.common.security.plain.PlainLoginModule required user_admin="` +
			adminPassword + `";`,
		"listener.name.sasl.scram-sha-512.sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required;",
	}})
	s.plain, s.ctx = s.Addresses()[0], s.Context(8*time.Minute)
	for _, topic := range []string{"open", "sized", "closed"} {
		configs := map[string]string{"retention.ms": "600000"}
		if topic == "sized" {
			configs["retention.bytes"] = "1000000"
		}
		s.Must(s.CreateTopic(s.ctx, kafkatest.Topic{Name: topic, Configs: configs}))
		for i := range 10 {
			_, err := s.Produce(s.ctx, topic, 0, 100, time.Now().Add(time.Duration(i-60)*time.Second))
			s.Must(err)
		}
	}
	s.Must(s.Commit(s.ctx, "readers", "sized", 0, 7))
	for kind, read := range readers() {
		for of, topic := range map[string]string{"readers": "open", "shut": "closed"} {
			read(s.ctx, s.Cluster, kinds.Stand{Group: of + kind, Topic: topic, Position: 7, Records: 10})
		}
	}
	return s
}

// readers are the kinds of groups; the ending of a group's name tells of which it is.
func readers() map[string]func(context.Context, *kafkatest.Cluster, kinds.Stand) {
	return map[string]func(context.Context, *kafkatest.Cluster, kinds.Stand){
		"": kinds.Simple, "-classic": kinds.Classic, "-consumer": kinds.Consumer, "-streams": kinds.Streams, "-share": kinds.Share,
	}
}

// addUsers makes SCRAM users.
func (s *secured) addUsers(names ...string) {
	var users []kadm.UpsertSCRAM
	for _, name := range names {
		users = append(users, kadm.UpsertSCRAM{User: name, Mechanism: kadm.ScramSha512, Iterations: 4096, Password: userPassword})
	}
	altered, err := s.Admin().AlterUserSCRAMs(s.ctx, nil, users)
	s.Must(err)
	for _, one := range altered {
		s.Must(one.Err)
	}
}

// as are the flags of a SCRAM login over TLS.
func (s *secured) as(user string) []string {
	return []string{"--kafka.tls.enabled", "--kafka.tls.ca-file=" + s.ca.file, "--kafka.sasl.mechanism=SCRAM-SHA-512", "--kafka.sasl.username=" + user}
}

// run starts the program at one of the listeners; the password is in its environment.
func (s *secured) run(t testing.TB, address, password string, flags ...string) *endtoend.Program {
	t.Helper()
	return endtoend.Run(t, s.binary, []string{address}, []string{"KAFKA_SASL_PASSWORD=" + password}, flags...)
}

const monitor = "User:retention-exporter" // whom README gives the rights

// right is one line of an access list: what may be done to a resource.
type right struct {
	resource kmsg.ACLResourceType
	name     string
	pattern  kadm.ACLPattern
	do       kmsg.ACLOperation
}

func (r right) String() string { return fmt.Sprintf("%s on %s %s", r.do, r.resource, r.name) }

// builder makes the access list entry that gives the right.
func (r right) builder(t testing.TB, principal string) *kadm.ACLBuilder {
	t.Helper()
	b := kadm.NewACLs().Allow(principal).AllowHosts("*").Operations(r.do).ResourcePatternType(r.pattern)
	switch r.resource {
	case kmsg.ACLResourceTypeTopic:
		return b.Topics(r.name)
	case kmsg.ACLResourceTypeGroup:
		return b.Groups(r.name)
	case kmsg.ACLResourceTypeCluster:
		return b.Clusters()
	}
	t.Fatalf("no access list is made for %v", r)
	return nil
}

func (s *secured) grant(t testing.TB, principal string, rights ...right) {
	t.Helper()
	for _, r := range rights {
		created, err := s.Admin().CreateACLs(s.ctx, r.builder(t, principal))
		s.Must(err)
		for _, one := range created {
			s.Must(one.Err)
		}
	}
}

func (s *secured) revoke(t testing.TB, principal string, r right) {
	t.Helper()
	deleted, err := s.Admin().DeleteACLs(s.ctx, r.builder(t, principal))
	s.Must(err)
	for _, one := range deleted {
		s.Must(one.Err)
		if len(one.Deleted) != 1 {
			t.Fatalf("%d entries deleted to revoke %v from %s", len(one.Deleted), r, principal)
		}
	}
}

// rights lists what a principal may do.
func (s *secured) rights(t testing.TB, principal string) (all []right) {
	t.Helper()
	described, err := s.Admin().DescribeACLs(s.ctx, kadm.NewACLs().AnyResource().Allow(principal).AllowHosts().Operations(kadm.OpAny).ResourcePatternType(kadm.ACLPatternAny))
	s.Must(err)
	for _, one := range described {
		s.Must(one.Err)
		for _, d := range one.Described {
			all = append(all, right{d.Type, d.Name, d.Pattern, d.Operation})
		}
	}
	return all
}

// write makes a file of the test.
func (s *secured) write(t testing.TB, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
