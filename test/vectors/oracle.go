package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// tally is what the oracle says about the logs it made.
type tally struct {
	logs, steps, passes, edgePasses int
	edges, rolls                    names
}

// names are counts by name, in the order of their first appearance.
type names struct {
	order  []string
	counts map[string]int
}

func (n *names) add(name string, count int) {
	if n.counts == nil {
		n.counts = map[string]int{}
	}
	if _, seen := n.counts[name]; !seen {
		n.order = append(n.order, name)
	}
	n.counts[name] += count
}

func (n *names) String() string {
	var parts []string
	for _, name := range n.order {
		parts = append(parts, name+" "+grouped(n.counts[name]))
	}
	return strings.Join(parts, ", ")
}

func (t *tally) add(o tally) {
	t.logs += o.logs
	t.steps += o.steps
	t.passes += o.passes
	t.edgePasses += o.edgePasses
	for _, name := range o.edges.order {
		t.edges.add(name, o.edges.counts[name])
	}
	for _, name := range o.rolls.order {
		t.rolls.add(name, o.rolls.counts[name])
	}
}

// runOracle makes logs of all families in a folder.
func runOracle(ctx context.Context, version, folder string, seed int64, logs, threads int) (tally, error) {
	command := exec.CommandContext(ctx, "test/oracle/run.sh", "--out", folder, "--seed", strconv.FormatInt(seed, 10),
		"--total", strconv.Itoa(logs), "--threads", strconv.Itoa(threads))
	command.Env = append(os.Environ(), "KAFKA_VERSION="+version)
	command.Stderr = os.Stderr
	// Not a kill: the oracle removes its folder in /dev/shm, which is memory, when it is stopped.
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 20 * time.Second
	out, err := command.Output()
	if err != nil {
		return tally{}, fmt.Errorf("run the oracle on Kafka %s: %w", version, err)
	}
	return parseTally(version, string(out))
}

// parseTally reads the last three lines of the oracle's output: edges, rolls, and the sums, which
// name the release that ran as its jar tells it.
func parseTally(version, output string) (tally, error) {
	var t tally
	sums := regexp.MustCompile(`(?m)^kafka (\S+), logs (\d+), steps (\d+), passes (\d+), edge passes (\d+),`).FindStringSubmatch(output)
	if sums == nil {
		return t, fmt.Errorf("read the oracle's output: no line of sums in %q", output)
	}
	if sums[1] != version {
		return t, fmt.Errorf("read the oracle's output: Kafka %s ran, not %s", sums[1], version)
	}
	for i, target := range []*int{&t.logs, &t.steps, &t.passes, &t.edgePasses} {
		var err error
		if *target, err = strconv.Atoi(sums[i+2]); err != nil {
			return t, fmt.Errorf("read the oracle's output: %w", err)
		}
	}
	for line := range strings.SplitSeq(output, "\n") {
		var err error
		if rest, ok := strings.CutPrefix(line, "edges: "); ok {
			err = parseNames(&t.edges, rest)
		} else if rest, ok := strings.CutPrefix(line, "rolls: "); ok {
			err = parseNames(&t.rolls, rest)
		}
		if err != nil {
			return t, fmt.Errorf("read the oracle's output %q: %w", line, err)
		}
	}
	return t, nil
}

// parseNames reads "time 715, high watermark 575".
func parseNames(n *names, text string) error {
	for item := range strings.SplitSeq(text, ", ") {
		i := strings.LastIndexByte(item, ' ')
		if i < 0 {
			return fmt.Errorf("no number in %q", item)
		}
		count, err := strconv.Atoi(item[i+1:])
		if err != nil {
			return err
		}
		n.add(item[:i], count)
	}
	return nil
}
