package security

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestSecuredBroker runs one program for each way in which rights or a login can be missing, all
// at the same time, since what was refused is asked again once a minute only.
func TestSecuredBroker(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	s := newSecured(t)
	s.addUsers("retention-exporter")
	flags := s.readmeCommands(t)
	rights := s.rights(t, monitor)
	if len(rights) != 5 {
		t.Errorf("the commands in README give %d rights: %v", len(rights), rights)
	}
	degraded, troubles := s.degrade(t, rights), s.troubles(t, rights)
	full := s.run(t, s.sasl, userPassword, flags...)
	programs := map[string]*endtoend.Program{"all rights": full}
	for _, d := range degraded {
		programs[d.name] = d.program
	}
	for name, tr := range troubles {
		programs["trouble: "+name] = tr.program
	}

	everything := full.Await(t, "all forecasts with the rights that README gives", endtoend.Patience, complete)
	if causes := warned(full); len(causes) > 0 {
		t.Errorf("with the rights that README gives the log warns of %v:\n%s", causes, full.Log())
	}
	awaitPolls(t, programs, 5)
	for _, d := range degraded {
		t.Run("without "+d.name, func(t *testing.T) { d.check(t, everything) })
	}
	for name, tr := range troubles {
		t.Run(name, func(t *testing.T) { tr.check(t) })
	}
	t.Run("no password is shown", func(t *testing.T) { nothingShown(t, programs, userPassword, adminPassword, wrongPassword, privateKey) })
	for _, d := range degraded {
		d.cure()
	}
	for _, tr := range troubles {
		tr.cure()
	}
	awaitPolls(t, programs, 5)
	for _, d := range degraded {
		t.Run("given "+d.name, func(t *testing.T) { d.program.Await(t, "what the right gives", healing, complete) })
	}
	for name, tr := range troubles {
		t.Run(name+" cured", func(t *testing.T) { tr.checkCured(t) })
	}
	t.Run("no password is shown after that", func(t *testing.T) { nothingShown(t, programs, userPassword, adminPassword, wrongPassword, privateKey) })
}

// awaitPolls lets every program end some more polls; they run at the same time.
func awaitPolls(t *testing.T, programs map[string]*endtoend.Program, n float64) {
	t.Helper()
	begun := map[string]float64{}
	for name, p := range programs {
		begun[name] = p.Scrape()["polls_total"]
	}
	for name, p := range programs {
		p.Await(t, fmt.Sprintf("the end of %g polls, %s", n, name), endtoend.Patience, func(page endtoend.Page) bool { return page["polls_total"] >= begun[name]+n })
	}
}

// healing bounds the waits for what is asked once a minute.
const healing = 100 * time.Second

// complete is a page on which all is known of all three topics and of groups of every kind.
func complete(p endtoend.Page) bool {
	for kind := range readers() {
		for of, topic := range map[string]string{"readers": "open", "shut": "closed"} {
			group := of + kind
			if !p.Has(endtoend.Of(endtoend.LossMetric, group, topic, 0), endtoend.Of(endtoend.FloorMetric, group, topic, 0), endtoend.Of(endtoend.StoppedMetric, group, topic, 0), endtoend.OfPartition("partition_size_bytes", topic, 0)) {
				return false
			}
		}
	}
	return p["up"] == 1 && p.Has(endtoend.Of(endtoend.LossMetric, "readers", "sized", 0))
}

// readmeCommands runs the commands by which README gives the rights, as they stand there, and
// returns the flags of the program's command after them.
func (s *secured) readmeCommands(t *testing.T) (flags []string) {
	t.Helper()
	folder := t.TempDir()
	ca, err := os.ReadFile(s.ca.file)
	s.Must(err)
	for name, text := range map[string]string{
		"ca.pem": string(ca),
		"admin.properties": fmt.Sprintf("security.protocol=SASL_SSL\nssl.truststore.type=PEM\nssl.truststore.location=%s\nsasl.mechanism=PLAIN\n"+
			"sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=\"admin\" password=%q;\n", s.ca.file, adminPassword),
		"kafka-retention-exporter": "#!/bin/sh\nprintf '%s\\n' \"$@\"\n",
	} {
		s.Must(os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755))
	}
	path := "PATH=" + kafkatest.Tools(t) + ":" + os.Getenv("PATH")
	lists := 0
	for _, command := range endtoend.Commands(endtoend.Readme(t)) {
		list := strings.HasPrefix(command, "kafka-acls.sh ")
		if !list && !strings.Contains(command, "--kafka.sasl.mechanism") {
			continue
		}
		shell := exec.CommandContext(s.ctx, "sh", "-c", command)
		shell.Dir, shell.Env = folder, append(shell.Environ(), path, "BOOTSTRAP="+s.sasl)
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		if list {
			lists++
			continue
		}
		flags = strings.Fields(strings.ReplaceAll(string(out), "=ca.pem", "="+s.ca.file))
	}
	flags = slices.DeleteFunc(flags, func(f string) bool { return f == "--kafka.brokers="+s.sasl }) // given anyway
	if lists == 0 || len(flags) == 0 {
		t.Fatalf("README shows %d commands for access lists, and these flags to use them: %v", lists, flags)
	}
	return flags
}

// lateShares is how the log tells that a broker was slow to tell where share groups start, and of nothing
// else: a deadline in any other request costs the ends as well. With so many programs that ask every
// second it happens, and it has nothing to do with rights.
const lateShares = " cause=deadline stages=offsets "

// warned are the causes that the log warns of, one for each line.
func warned(p *endtoend.Program) (causes []string) {
	for line := range strings.Lines(p.Log()) {
		if !strings.Contains(line, "level=WARN") && !strings.Contains(line, "level=ERROR") {
			continue
		}
		_, cause, named := strings.Cut(line, " cause=")
		if !named && strings.Contains(line, missingRight) || strings.Contains(line, lateShares) {
			continue
		}
		cause, _, _ = strings.Cut(strings.TrimSpace(cause), " ")
		causes = append(causes, cause)
	}
	slices.Sort(causes)
	return causes
}

// missingRight begins what the log says once of each right that is missing at the start.
const missingRight = `msg="A right is missing" right=`

// shownPaths is where the program shows something, of a pair too.
func shownPaths() []string {
	return []string{
		"/", "/pair?group=readers&topic=open&partition=0", "/metrics", "/api/v1/forecasts", "/api/v1/check", "/api/v1/plan?within=24h",
		"/api/v1/whatif?topic=open&set=retention.ms=1000", "/-/healthy", "/-/ready",
	}
}

// nothingShown looks for secrets wherever the programs show something.
func nothingShown(t *testing.T, programs map[string]*endtoend.Program, secrets ...string) {
	t.Helper()
	for name, p := range programs {
		shown := map[string]string{"log": p.Log()}
		for _, path := range shownPaths() {
			body, status := p.Fetch(path)
			if status == 0 {
				t.Errorf("%s: no answer on %s", name, path)
			}
			shown[path] = string(body)
		}
		for where, text := range shown {
			for _, secret := range secrets {
				if strings.Contains(text, secret) {
					t.Errorf("%s: a secret is on %s", name, where)
				}
			}
		}
	}
}

// without lists the series of one page that another lacks.
func without(all, some endtoend.Page) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(s string) bool { return some.Has(s) })
}
