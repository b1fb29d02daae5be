package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/fakebroker"
)

// asks runs the program with a command line and returns what it prints.
func asks(t *testing.T, args ...string) (exit int, out, errors string) {
	t.Helper()
	var stdout, stderr strings.Builder
	none := func(string) (string, bool) { return "", false }
	exit = run(t.Context(), args, none, &stdout, &stderr)
	return exit, stdout.String(), stderr.String()
}

// answered runs a command with JSON output.
func answered[T any](t *testing.T, args ...string) (exit int, answer T) {
	t.Helper()
	exit, out, errors := asks(t, append(args, "--output=json")...)
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatalf("%v: exit %d, %s%s: %v", args, exit, out, errors, err)
	}
	return exit, answer
}

// stoppedReader is a cluster with a topic of six segments, one an hour, nothing since; group slow
// stands in the second segment, group fast at the end. Another one is the same without any limit.
func stoppedReader(t *testing.T) (address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := fakebroker.Start(ctx, fakebroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.CreateTopic(ctx, "orders", 1, map[string]string{"retention.ms": "604800000", "segment.ms": "3000000"}))
	must(c.CreateTopic(ctx, "kept", 1, map[string]string{"retention.ms": "-1", "segment.ms": "3000000"}))
	now := model.InstantOf(time.Now())
	for hour := range 6 {
		for i := range 10 {
			for _, topic := range []string{"orders", "kept"} {
				_, err := c.Produce(ctx, topic, 0, fakebroker.Record{Stamp: now.Add(-model.Millis(6-hour)*3_600_000 + model.Millis(i)*1000)})
				must(err)
			}
		}
	}
	must(c.Commit(ctx, "slow", "kept", 0, 15))
	must(c.Commit(ctx, "slow", "orders", 0, 15))
	must(c.Commit(ctx, "fast", "orders", 0, 60))
	return strings.Join(c.Addresses(), ",")
}

func TestCommandsAskACluster(t *testing.T) {
	brokers := "--kafka.brokers=" + stoppedReader(t)
	t.Run("whatif that loses", func(t *testing.T) {
		t.Parallel()
		exit, w := answered[answers.WhatIf](t, "whatif", brokers, "--topic=orders", "--set=retention.ms=12600000") // 3.5 h
		if exit != answers.ExitRisk || len(w.Topics) != 1 || len(w.Topics[0].Losing) != 1 {
			t.Fatalf("exit %d, %+v", exit, w)
		}
		o := w.Topics[0]
		if l := o.Losing[0]; l.Group != "slow" || l.From != 15 || l.To != 30 || o.Safe[0] != "fast" || len(o.Safe) != 1 {
			t.Errorf("losing %+v, safe %v", l, o.Safe)
		}
	})
	t.Run("whatif from a file", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "trials.yml")
		if err := os.WriteFile(path, []byte("orders:\n  retention.ms: 18900000\n"), 0o600); err != nil { // 5.25 h
			t.Fatal(err)
		}
		exit, w := answered[answers.WhatIf](t, "whatif", brokers, "--from-file="+path)
		if exit != answers.ExitSafe || w.Topics[0].Partitions[0].After != 10 {
			t.Errorf("exit %d, %+v", exit, w)
		}
	})
	t.Run("whatif as a table", func(t *testing.T) {
		t.Parallel()
		exit, out, _ := asks(t, "whatif", brokers, "--topic=orders", "--set=retention.ms=12600000")
		if exit != answers.ExitRisk || !strings.Contains(out, "15 to 29") || !strings.Contains(out, "Safe: fast") {
			t.Errorf("exit %d:\n%s", exit, out)
		}
	})
	t.Run("check", func(t *testing.T) {
		t.Parallel()
		exit, c := answered[answers.Check](t, "check", brokers, "--within=1h")
		if exit != answers.ExitSafe || len(c.Risks) != 0 {
			t.Errorf("exit %d, %+v", exit, c)
		}
		exit, c = answered[answers.Check](t, "check", brokers, "--within=168h")
		if exit != answers.ExitRisk || len(c.Risks) != 1 || c.Risks[0].Group != "slow" {
			t.Errorf("exit %d, %+v", exit, c)
		}
	})
	t.Run("plan", func(t *testing.T) {
		t.Parallel()
		_, p := answered[answers.Plan](t, "plan", brokers, "--topic=orders", "--rate=1000")
		if len(p.Topics) != 1 || p.Topics[0].Partitions[0].Least != 604_800_000 {
			t.Errorf("%+v", p)
		}
	})
}

func TestQuestionsThatAreWrongEndWithTwo(t *testing.T) {
	nobody := "--kafka.brokers=" + freeAddress(t)
	empty := filepath.Join(t.TempDir(), "empty.yml")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"unknown flag":          {"check", nobody, "--bogus"},
		"no cluster":            {"check"},
		"no topic":              {"whatif", nobody, "--set=retention.ms=1"},
		"no setting":            {"whatif", nobody, "--topic=t"},
		"unknown setting":       {"whatif", nobody, "--topic=t", "--set=compression.type=zstd"},
		"topic and file":        {"whatif", nobody, "--topic=t", "--from-file=x.yml"},
		"empty file":            {"whatif", nobody, "--from-file=" + empty},
		"factor of nothing":     {"whatif", nobody, "--topic=t", "--set=retention.ms=1", "--factor=0"},
		"negative rate":         {"plan", nobody, "--rate=-1"},
		"not a URL":             {"plan", "--from=localhost:1"},
		"nobody runs there":     {"plan", "--from=http://" + freeAddress(t)},
		"unknown output format": {"check", nobody, "--output=xml"},
	} {
		t.Run(name, func(t *testing.T) {
			if exit, out, errors := asks(t, args...); exit != answers.ExitUnsure || out != "" || errors == "" {
				t.Errorf("exit %d, %q, %q", exit, out, errors)
			}
		})
	}
}

func TestClusterThatDoesNotAnswerCannotBeTold(t *testing.T) {
	nobody := "--kafka.brokers=" + freeAddress(t)
	exit, c := answered[answers.Check](t, "check", nobody)
	if exit != answers.ExitUnsure || len(c.Problems) == 0 {
		t.Errorf("exit %d, %+v", exit, c)
	}
	if exit, _, errors := asks(t, "whatif", nobody, "--topic=t", "--set=retention.ms=1"); exit != answers.ExitUnsure || !strings.Contains(errors, "no broker answers: refused") {
		t.Errorf("exit %d, %s", exit, errors)
	}
}

// TestCommandsAskARunningExporter has the program answer both sides.
func TestCommandsAskARunningExporter(t *testing.T) {
	address := freeAddress(t)
	ctx, stop := context.WithCancel(t.Context())
	exit := make(chan int, 1)
	brokers := stoppedReader(t)
	none := func(string) (string, bool) { return "", false }
	go func() {
		exit <- run(ctx, []string{"serve", "--kafka.brokers=" + brokers, "--web.listen-address=" + address, "--poll.interval=200ms"}, none, io.Discard, io.Discard)
	}()
	defer func() { stop(); <-exit }()
	await(t, "http://"+address+"/metrics", func(page string) bool {
		return !strings.Contains(page, "kafka_retention_polls_total 0\n") && !strings.Contains(page, "kafka_retention_polls_total 1\n")
	})
	from := "--from=http://" + address
	code, w := answered[answers.WhatIf](t, "whatif", from, "--topic=orders", "--set=retention.ms=12600000")
	if code != answers.ExitRisk || len(w.Topics[0].Losing) != 1 || w.Topics[0].Losing[0].To != 30 {
		t.Errorf("exit %d, %+v", code, w)
	}
	code, w = answered[answers.WhatIf](t, "whatif", from, "--topic=kept", "--set=retention.ms=12600000")
	if code != answers.ExitRisk || len(w.Topics[0].Losing) != 1 || w.Topics[0].Losing[0].To != 30 || len(w.Topics[0].Unsure) > 0 {
		t.Errorf("a topic without limits: exit %d, %+v", code, w)
	}
	if code, c := answered[answers.Check](t, "check", from, "--within=168h"); code != answers.ExitRisk || len(c.Risks) != 1 {
		t.Errorf("exit %d, %+v", code, c)
	}
	if _, p := answered[answers.Plan](t, "plan", from, "--topic=orders", "--rate=1000"); p.Topics[0].Partitions[0].Least != 604_800_000 {
		t.Errorf("%+v", p)
	}
	if code, _, errors := asks(t, "plan", from, "--set=x"); code != answers.ExitUnsure || !strings.Contains(errors, "400") {
		t.Errorf("exit %d, %s", code, errors)
	}
}
