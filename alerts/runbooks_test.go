package alerts_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// page is a runbook.
type page struct{ name, text string }

// runbooks are the pages without their README.
func runbooks(t *testing.T) []page {
	t.Helper()
	files, err := filepath.Glob("runbooks/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var pages []page
	for _, f := range files {
		if f == "runbooks/README.md" {
			continue
		}
		pages = append(pages, page{strings.TrimSuffix(filepath.Base(f), ".md"), string(read(t, f))})
	}
	return pages
}

func TestEveryAlertHasARunbookWithAllSections(t *testing.T) {
	have := map[string]string{}
	for _, p := range runbooks(t) {
		have[p.name] = p.text
	}
	for name := range alertNames() {
		for _, section := range []string{"# " + name, "## Meaning", "## Impact", "## See it by hand", "## Buy time now", "## Fix it for good", "## Recover after loss"} {
			if !strings.Contains(have[name], section+"\n") {
				t.Errorf("runbooks/%s.md has no %q", name, section)
			}
		}
		delete(have, name)
	}
	for name := range have {
		t.Errorf("runbooks/%s.md is about no alert", name)
	}
}

func TestRunbooksNameOnlyMetricsAndPagesThatExist(t *testing.T) {
	known := servedMetrics()
	for _, p := range runbooks(t) {
		for _, name := range regexp.MustCompile(`kafka_retention_[a-z_]*[a-z]\b`).FindAllString(p.text, -1) {
			if !slices.ContainsFunc(known, func(k string) bool { return k == name || strings.HasPrefix(k, name+"_") }) {
				t.Errorf("%s: %s does not exist", p.name, name)
			}
		}
		for _, link := range regexp.MustCompile(`\]\((\w+\.md)\)`).FindAllStringSubmatch(p.text, -1) {
			if _, err := os.Stat(filepath.Join("runbooks", link[1])); err != nil {
				t.Errorf("%s links to %s", p.name, link[1])
			}
		}
	}
}

var shellBlock = regexp.MustCompile("(?ms)^```sh([^\n]*)\n(.*?)^```$")

// commands are the shell blocks of a page.
func (p page) commands(t *testing.T) (blocks []string) {
	t.Helper()
	for _, b := range shellBlock.FindAllStringSubmatch(p.text, -1) {
		if b[1] != " run" {
			t.Errorf("%s: a block of commands that no test runs: %s", p.name, b[2])
		}
		blocks = append(blocks, b[2])
	}
	return blocks
}

// TestRunbookCommandsWorkOnARealBroker runs every block of every page, in order, with the
// variables of runbooks/README.md: each page on a topic and a group of its own, and a block that
// stands on several pages once. The exporter watches the same broker.
func TestRunbookCommandsWorkOnARealBroker(t *testing.T) {
	kafkatest.Require(t)
	need(t, "curl", "curl")
	tools := kafkatest.Tools(t)
	checkClasses(t, tools)
	c := kafkatest.Start(t, kafkatest.Options{})
	exporter := fmt.Sprintf("127.0.0.1:%d", kafkatest.FreePort(t))
	pages := runbooks(t)
	for _, p := range pages {
		prepare(t, c, p.name)
	}
	program := endtoend.Start(t, []string{c.Broker(1).Address()}, "--web.listen-address="+exporter)
	awaitPair(t, program)

	done := map[string]bool{}
	for _, p := range pages {
		blocks := slices.DeleteFunc(p.commands(t), func(block string) bool {
			ran := done[block]
			done[block] = true
			return ran
		})
		t.Run(p.name, func(t *testing.T) {
			t.Parallel() // a Java machine starts for each command: use both cores
			shell := shell{dir: t.TempDir(), env: append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"),
				"BOOTSTRAP="+c.Broker(1).Address(), "TOPIC=topic-"+p.name, "PARTITION=0", "GROUP=group-"+p.name, "BROKER=1", "EXPORTER=http://"+exporter)}
			for _, block := range blocks {
				shell.run(t, block)
			}
		})
	}
}

// shell runs blocks of commands in one folder, each until its first failure.
type shell struct {
	dir string
	env []string
}

func (s shell) run(t *testing.T, block string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", block)
	cmd.Dir, cmd.Env = s.dir, s.env
	if out, err := cmd.CombinedOutput(); err != nil || complains(out) {
		t.Errorf("%v\n%s\n%s", err, block, out)
	}
}

// complains tells of tools that end with 0 although they did not do what they were asked.
func complains(out []byte) bool {
	return regexp.MustCompile(`(?m)^(Error|Exception|Failed)\b|Exception: `).Match(out)
}

// prepare gives a page a topic with twenty records, of which its group has read ten.
func prepare(t *testing.T, c *kafkatest.Cluster, name string) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "topic-" + name, Configs: map[string]string{"retention.ms": "86400000", "retention.bytes": "1000000000"}}))
	stamps := make([]time.Time, 20)
	for i := range stamps {
		stamps[i] = time.Now().Add(time.Duration(i-30) * time.Minute)
	}
	_, err := c.Produce(ctx, "topic-"+name, 0, 100, stamps...)
	c.Must(err)
	c.Must(c.Commit(ctx, "group-"+name, "topic-"+name, 0, 10))
}

// awaitPair waits until the exporter serves what it knows of the groups.
func awaitPair(t *testing.T, program *endtoend.Program) {
	for range 60 {
		if page, ok := program.Get("/metrics"); ok && strings.Contains(string(page), "kafka_retention_group_retention_used_ratio{") {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
	t.Fatal("the exporter serves no groups")
}

// checkClasses compares the table of classes with the scripts that run them.
func checkClasses(t *testing.T, tools string) {
	rows := regexp.MustCompile("(?m)^\\| `(kafka-[a-z-]+\\.sh)` \\| `([\\w.]+)` \\|$").FindAllStringSubmatch(string(read(t, "runbooks/README.md")), -1)
	if len(rows) == 0 {
		t.Fatal("no table of classes in runbooks/README.md")
	}
	for _, row := range rows {
		if script := string(read(t, filepath.Join(tools, row[1]))); !strings.Contains(script, " "+row[2]+" ") {
			t.Errorf("%s does not run %s: %s", row[1], row[2], script)
		}
	}
}

// TestCommandsInTextsAreInTheRunbook: what an alert tells to run was run by the test above.
func TestCommandsInTextsAreInTheRunbook(t *testing.T) {
	program := regexp.MustCompile(`kafka-[a-z-]+\.sh`)
	texts := map[string]string{}
	for _, p := range runbooks(t) {
		texts[p.name] = p.text
	}
	for _, r := range rendered(t, alerts.Default()) {
		for _, command := range program.FindAllString(r.Annotations["description"], -1) {
			if !strings.Contains(texts[r.Alert], command) {
				t.Errorf("%s tells to run %s, its runbook does not", r.Alert, command)
			}
		}
	}
}
