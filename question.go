package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/alecthomas/kingpin/v2"

	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/collector/login"
	"kafka-retention-exporter/command"
)

// The commands. Without one the program serves.
const (
	serveCommand  = "serve"
	checkCommand  = "check"
	whatIfCommand = "whatif"
	planCommand   = "plan"
)

// question is what the commands that answer once and end are asked.
type question struct {
	from     string // URL of a running exporter
	output   string // table or json
	within   time.Duration
	topic    string
	set      []string
	fromFile string
	factor   float64
	rate     float64
}

// subcommands defines the commands and their flags.
func (c *commandLine) subcommands() {
	q := &c.question
	c.app.Command(serveCommand, "Poll the cluster and serve forecasts until told to stop.").Default()

	check := c.app.Command(checkCommand, "List what is at risk, and what makes retention behave otherwise than it looks. Exits with 0 if nothing is at risk, 1 if something is, 2 if it cannot tell or is asked wrongly.")
	check.Flag("within", "A loss within this time is a risk.").Default("24h").DurationVar(&q.within)

	whatIf := c.app.Command(whatIfCommand, "Tell what the next pass of the brokers would delete if settings were changed, and which groups would lose what. Exits with 0 if none would, 1 if one would, 2 if it cannot tell or is asked wrongly.")
	whatIf.Flag("topic", "Topic to try settings on.").StringVar(&q.topic)
	whatIf.Flag("set", "Setting to try, like retention.ms=3600000; can be repeated.").StringsVar(&q.set)
	whatIf.Flag("from-file", "YAML file that maps topics to settings to try on them.").StringVar(&q.fromFile)
	whatIf.Flag("factor", "How many times the largest lag the smallest safe retention is to be.").Default("2").Float64Var(&q.factor)

	plan := c.app.Command(planCommand, "Tell what logs need on disk once they have settled. Exits with 0 if every volume has room, 1 if one fills up, 2 if it cannot tell or is asked wrongly.")
	plan.Flag("topic", "Topic to plan; all that are watched if empty.").StringVar(&q.topic)
	plan.Flag("rate", "Bytes a second into each partition, instead of what is seen.").Float64Var(&q.rate)
	plan.Flag("set", "Setting to plan with, like retention.ms=3600000; can be repeated.").StringsVar(&q.set)

	for _, one := range []*kingpin.CmdClause{check, whatIf, plan} {
		one.Flag("from", "URL of a running exporter to ask instead of the cluster, like http://localhost:10059.").StringVar(&q.from)
		one.Flag("output", "table or json.").Default("table").EnumVar(&q.output, "table", "json")
	}
}

// isQuestion tells whether a command line asks a question. It is not parsed, since it may be wrong:
// that too must end with the code for "cannot tell".
func isQuestion(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return a == checkCommand || a == whatIfCommand || a == planCommand })
}

// answerer is a running exporter or a cluster that has been looked at.
type answerer interface {
	Check(ctx context.Context, within time.Duration) (answers.Check, error)
	WhatIf(ctx context.Context, trials []command.Trial, factor float64) (answers.WhatIf, error)
	Plan(ctx context.Context, topic string, rate float64, settings []string) (answers.Plan, error)
}

// ask answers the question and prints the answer; the exit code is the answer's.
func ask(ctx context.Context, s *settings, env login.Lookup, stdout io.Writer) (exit int, err error) {
	trials, err := s.trials()
	if err != nil {
		return answers.ExitUnsure, err
	}
	who, done, err := s.answerer(ctx, env, trials)
	if err != nil {
		return answers.ExitUnsure, err
	}
	defer done()
	switch q := s.question; s.selected {
	case checkCommand:
		out, err := who.Check(ctx, q.within)
		return s.print(stdout, out, out.Exit, err)
	case whatIfCommand:
		out, err := who.WhatIf(ctx, trials, q.factor)
		return s.print(stdout, out, out.Exit, err)
	default:
		out, err := who.Plan(ctx, q.topic, q.rate, q.set)
		return s.print(stdout, out, out.Exit, err)
	}
}

func (s *settings) answerer(ctx context.Context, env login.Lookup, trials []command.Trial) (who answerer, done func(), err error) {
	if s.question.from != "" {
		running, err := command.Ask(s.question.from)
		return running, func() {}, err
	}
	parts, err := s.wire(env)
	if err != nil {
		return nil, nil, err
	}
	var topics []string
	for _, t := range trials {
		topics = append(topics, t.Topic)
	}
	cluster, err := command.Look(ctx, parts.collector, s.clockTolerance, topics)
	if err != nil {
		return nil, nil, err
	}
	return cluster, cluster.Close, nil
}

// trials checks what is asked before anything is connected to.
func (s *settings) trials() ([]command.Trial, error) {
	q := s.question
	switch {
	case s.selected == planCommand && q.rate < 0:
		return nil, errors.New("rate: must not be negative")
	case s.selected != whatIfCommand:
		return nil, nil
	case !(q.factor > 0):
		return nil, errors.New("factor: must be positive")
	case q.fromFile != "" && (q.topic != "" || len(q.set) > 0):
		return nil, errors.New("from-file: not together with topic or set")
	case q.fromFile != "":
		return command.ReadTrials(q.fromFile)
	}
	t, err := command.NewTrial(q.topic, q.set)
	return []command.Trial{t}, err
}

func (s *settings) print(w io.Writer, out interface{ Table(io.Writer) error }, exit int, err error) (int, error) {
	if err != nil {
		return answers.ExitUnsure, err
	}
	if s.question.output == "json" {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false) // command lines are to be copied
		encoder.SetIndent("", "  ")
		err = encoder.Encode(out)
	} else {
		err = out.Table(w)
	}
	if err != nil {
		return answers.ExitUnsure, fmt.Errorf("print answer: %w", err)
	}
	return exit, nil
}
