// Command vectors shows that the model deletes and rolls as Kafka does. It lets test/oracle
// drive Kafka's own log class through random schedules, replays every log in the model, and
// counts what was compared and what differed. With -mistakes it also plants mistakes in the
// rules, one at a time, and tells which of them the committed sample notices.
//
//	go run ./test/vectors -logs 100000 -jar 4.4.0,4.3.1:5000,4.1.2:5000 -mistakes -write model/VECTORS.md
//
// Run it in the root of the repository. The vectors are made and replayed in batches under the
// folder for temporary files, so that the disk they take stays below 20 MB. It exits 1 if a log
// differs or a mistake stays unnoticed, and prints the first differences.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	failed, err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "vectors:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	jars     []jar
	seed     int64
	batch    int
	threads  int
	mistakes bool
	write    string
}

func parse(arguments []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("vectors", flag.ContinueOnError)
	logs := flags.Int("logs", 2000, "logs of each jar that has no number of its own")
	jars := flags.String("jar", "", "Kafka releases to compare with, like 4.4.0,4.3.1:5000; each may have its own number of logs")
	flags.Int64Var(&o.seed, "seed", 1, "seed of the first batch; each further batch has the next one")
	flags.IntVar(&o.batch, "batch", 10_000, "logs on disk at a time")
	flags.IntVar(&o.threads, "threads", 2, "threads of the oracle")
	flags.BoolVar(&o.mistakes, "mistakes", false, "plant mistakes in the model and look whether the committed sample notices them")
	flags.StringVar(&o.write, "write", "", "file whose tables are replaced")
	if err := flags.Parse(arguments); err != nil {
		return o, err
	}
	if flags.NArg() > 0 || o.batch < 1 || o.threads < 1 {
		return o, fmt.Errorf("use vectors: not understood: %s", strings.Join(arguments, " "))
	}
	var err error
	o.jars, err = parseJars(*jars, *logs)
	return o, err
}

func run(ctx context.Context, arguments []string, out io.Writer) (failed bool, err error) {
	o, err := parse(arguments)
	if err != nil {
		return false, err
	}
	if _, err := os.Stat("model/pass.go"); err != nil {
		return false, fmt.Errorf("find the model; run in the root of the repository: %w", err)
	}
	r := newReport(arguments)
	for _, j := range o.jars {
		result, err := o.compare(ctx, j, out)
		if err != nil {
			return false, err
		}
		r.results = append(r.results, result)
		failed = failed || result.differences > 0
	}
	if o.mistakes {
		if r.outcomes, err = plantAll(ctx); err != nil {
			return false, err
		}
		failed = failed || r.unnoticed() > 0
	}
	fmt.Fprint(out, r)
	if o.write != "" {
		err = r.write(o.write)
	}
	return failed, err
}
