package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
)

// The command runs itself as these, so that the kernel counts each apart.
const (
	childFake  = "child-kfake"
	childFloor = "child-floor"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 2 && args[0] == childFake {
		return serveFake(ctx, args[1])
	}
	if len(args) == 3 && args[0] == childFloor {
		rounds, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		return floor(ctx, args[1], rounds, out)
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	only := flags.String("only", "", "regular expression for the names of trials; the default is all")
	write := flags.Bool("write", false, "write test/bench/RESULTS.md and results.json, at the root of the repository")
	list := flags.Bool("list", false, "print the names of the trials")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	var chosen []trial
	for _, t := range trials() {
		if !pattern.MatchString(t.name()) {
			continue
		}
		chosen = append(chosen, t)
		if *list {
			fmt.Fprintln(out, t.name())
		}
	}
	withState := pattern.MatchString(stateTrial)
	if *list {
		if withState {
			fmt.Fprintln(out, stateTrial)
		}
		return nil
	}
	return measureAll(ctx, chosen, withState, *write, out)
}

// measureAll measures trial after trial. With write every result is kept as soon as it is there.
func measureAll(ctx context.Context, chosen []trial, withState, write bool, out io.Writer) error {
	dir, err := os.MkdirTemp("", "kafka-retention-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary, err := build(ctx, dir)
	if err != nil {
		return err
	}
	var all results
	if write {
		if all, err = readResults(); err != nil {
			return err
		}
	}
	if withState {
		if all.State, err = measureState(ctx); err != nil {
			return err
		}
		if err := all.writeIf(write); err != nil {
			return err
		}
	}
	b := &bench{dir: dir, binary: binary, out: out}
	defer b.close()
	for _, t := range chosen {
		if err := b.measure(ctx, t, &all); err != nil {
			return fmt.Errorf("%s: %w", t.name(), err)
		}
		if err := all.writeIf(write); err != nil {
			return err
		}
	}
	fmt.Fprint(out, "\n"+all.table()+"\n"+all.targets())
	return nil
}

// build makes the exporter's binary.
func build(ctx context.Context, dir string) (binary string, err error) {
	binary = filepath.Join(dir, "kafka-retention-exporter")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "kafka-retention-exporter").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the exporter: %w\n%s", err, text)
	}
	return binary, nil
}
