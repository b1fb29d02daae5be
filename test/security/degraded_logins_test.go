package security

import (
	"os"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/test/endtoend"
)

// trouble is a program that cannot get in, or may see nothing.
type trouble struct {
	program *endtoend.Program
	up      float64
	warned  []string // causes of its log lines, sorted
	cure    func()
	cured   func(endtoend.Page) bool // nil: there is no cure but to start it anew with other flags
}

// The troubles that are rights, in the words of docs/rights.md.
const (
	withoutGroups  = "Describe on all groups and on the cluster"
	withoutRights  = "all"
	withoutConfigs = "DescribeConfigs on all topics, from some time on"
)

// troubles starts the programs.
func (s *secured) troubles(t *testing.T, rights []right) map[string]trouble {
	t.Helper()
	nobody, groupless, whole := "nobody", "groupless", "whole"
	s.addUsers(nobody, groupless, whole)
	s.grant(t, "User:"+whole, rights...)
	s.grant(t, "User:CN=client", rights...)
	var groups, others []right
	for _, r := range rights {
		if r.do == kmsg.ACLOperationDescribe && r.resource != kmsg.ACLResourceTypeTopic {
			groups = append(groups, r) // DESCRIBE on the cluster lists all groups too
		} else {
			others = append(others, r)
		}
	}
	s.grant(t, "User:"+groupless, others...)
	client, foreign := s.ca.sign(t, "client"), newAuthority(t, "foreign")
	password := s.write(t, wrongPassword+"\n")
	authority := []string{"--kafka.tls.enabled", "--kafka.tls.ca-file=" + s.ca.file}
	login := func(more ...string) []string { return append(slices.Clip(authority), more...) }
	none := func() {}
	return map[string]trouble{
		"SCRAM with a wrong password": {
			program: s.run(t, s.sasl, "", append(s.as("retention-exporter"), "--kafka.sasl.password-file="+password)...),
			warned:  []string{"sasl"}, cured: complete,
			cure: func() { s.Must(os.WriteFile(password, []byte(userPassword+"\n"), 0o600)) },
		},
		"PLAIN with a wrong password": {
			program: s.run(t, s.sasl, wrongPassword, login("--kafka.sasl.mechanism=PLAIN", "--kafka.sasl.username=admin")...),
			warned:  []string{"sasl"}, cure: none,
		},
		"a mechanism that the broker does not have": {
			program: s.run(t, s.sasl, userPassword, login("--kafka.sasl.mechanism=SCRAM-SHA-256", "--kafka.sasl.username=retention-exporter")...),
			warned:  []string{"sasl"}, cure: none,
		},
		"no login where one is asked for":         {program: s.run(t, s.sasl, "", authority...), warned: []string{"sasl"}, cure: none},
		"TLS against a plaintext listener":        {program: s.run(t, s.plain, "", authority...), warned: []string{"tls"}, cure: none},
		"plaintext against a TLS listener":        {program: s.run(t, s.mutual, ""), warned: []string{"tls"}, cure: none},
		"an authority that signed somebody else":  {program: s.run(t, s.mutual, "", "--kafka.tls.enabled", "--kafka.tls.ca-file="+foreign.file), warned: []string{"tls"}, cure: none},
		"no client certificate where one is due":  {program: s.run(t, s.mutual, "", authority...), warned: []string{"tls"}, cure: none},
		"a client certificate of somebody else's": {program: s.run(t, s.mutual, "", login(shown(foreign.sign(t, "client"))...)...), warned: []string{"tls"}, cure: none},
		withoutRights: {
			program: s.run(t, s.sasl, userPassword, s.as(nobody)...),
			up:      1, warned: []string{"CLUSTER_AUTHORIZATION_FAILED", "no_groups_visible"}, cured: complete,
			cure: func() { s.grant(t, "User:"+nobody, rights...) },
		},
		withoutGroups: {
			program: s.run(t, s.sasl, userPassword, s.as(groupless)...),
			up:      1, warned: []string{"CLUSTER_AUTHORIZATION_FAILED", "no_groups_visible"}, cured: complete,
			cure: func() { s.grant(t, "User:"+groupless, groups...) },
		},
		"PLAIN":              {program: s.run(t, s.sasl, adminPassword, login("--kafka.sasl.mechanism=PLAIN", "--kafka.sasl.username=admin")...), up: 1, cure: none, cured: complete},
		"client certificate": {program: s.run(t, s.mutual, "", login(shown(client)...)...), up: 1, cure: none, cured: complete},
		withoutConfigs: {
			program: s.run(t, s.sasl, userPassword, s.as(whole)...), up: 1, cured: settingsGone,
			cure: func() {
				for _, r := range rights {
					if r.do == kmsg.ACLOperationDescribeConfigs && r.resource == kmsg.ACLResourceTypeTopic {
						s.revoke(t, "User:"+whole, r)
					}
				}
			},
		},
	}
}

func shown(c credentials) []string {
	return []string{"--kafka.tls.cert-file=" + c.cert, "--kafka.tls.key-file=" + c.key}
}

// settingsGone is a page some time after the settings could be read for the last time.
func settingsGone(p endtoend.Page) bool {
	return !p.Has(`topic_retention_seconds{topic="open"}`) &&
		!p.Has(endtoend.Of("group_stopped_loss_floor_timestamp_seconds", "readers", "open", 0)) &&
		p.Has(endtoend.Of("group_committed_offset", "readers", "open", 0), endtoend.Of("group_lag_records", "readers", "open", 0))
}

// check wants a program that has polled several times to go on, and to say what is wrong once.
func (tr trouble) check(t *testing.T) {
	page := tr.program.Scrape()
	if up, there := page["up"]; up != tr.up || !there {
		t.Errorf("kafka_retention_up is %g (there: %t), want %g", up, there, tr.up)
	}
	if got := warned(tr.program); !slices.Equal(got, tr.warned) {
		t.Errorf("the log warns of %q, want one line for each of %q:\n%s", got, tr.warned, tr.program.Log())
	}
	if tr.program.Status("/-/healthy") != 200 {
		t.Error("what a cluster answers is no reason to restart the program")
	}
}

// checkCured waits until the cure has taken effect; where there is none, the program just goes on.
func (tr trouble) checkCured(t *testing.T) {
	if tr.cured == nil {
		tr.check(t)
		return
	}
	tr.program.Await(t, "what the cure gives", healing, tr.cured)
}
