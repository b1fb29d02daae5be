package compressed

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kafka-retention-exporter/predictor/backtest/report"
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
	"kafka-retention-exporter/test/docs"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/scenario"
)

var (
	update = flag.Bool("update", false, "write the tables of the real broker into predictor/BACKTEST.md")
	only   = flag.String("only", "", "regular expression of the scenarios to play")
	length = flag.Duration("length", 0, "of a run")
	polls  = flag.String("polls", "", "write every poll to files that begin with this")
	seeds  = flag.String("seeds", "", "what is drawn in each run, by commas")
)

// TestForecastsOnARealBroker plays more than 25 scenarios at once and holds what was forecast against
// what is promised (report.Promises). With KRE_FULL=1 three runs of six retentions are scored
// together, and all promises count. Three minutes are fewer losses and more first polls: there those
// count that need no losses, and errors may be twice as large; no floor may be late in any case.
func TestForecastsOnARealBroker(t *testing.T) {
	kafkatest.Require(t)
	p := plan{retention: 2 * time.Minute, length: 3 * time.Minute, seeds: []int64{time.Now().Unix()}, setting: &sync.Mutex{}}
	full, slack := os.Getenv("KRE_FULL") == "1", 2.0
	if full {
		slack = 1
		p.length, p.seeds = 6*p.retention+20*time.Second, []int64{1, 2, 3}
	}
	if *seeds != "" {
		p.seeds = nil
		for text := range strings.SplitSeq(*seeds, ",") {
			seed, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			p.seeds = append(p.seeds, seed)
		}
	}
	if *length > 0 {
		p.length = *length
	}
	played := make([][]*track.Track, len(p.seeds))
	t.Run("seeds", func(t *testing.T) {
		for i, seed := range p.seeds {
			t.Run(strconv.FormatInt(seed, 10), func(t *testing.T) {
				t.Parallel() // each on a broker of its own
				played[i] = play(t, p, seed)
			})
		}
	})
	result, runs := p.judge(played)
	if len(runs) == 0 {
		return
	}
	text := report.OnBroker(p.made(), result, runs)
	t.Logf("\n%s", text)
	for _, promise := range report.Promises() {
		if kept, said := promise.Kept(&result, slack); !kept && (full || promise.Soon) {
			t.Error(said)
		}
	}
	if *update {
		write(t, text)
	}
}

// judge scores all runs together, and each.
func (p plan) judge(played [][]*track.Track) (result score.Result, runs []report.Played) {
	all := score.NewOf(1, report.Distances())
	for i, tracks := range played {
		if tracks == nil {
			continue // it failed
		}
		one := score.NewOf(1, report.Distances())
		for _, t := range tracks {
			all.Add(t)
			one.Add(t)
		}
		runs = append(runs, report.Played{Seed: p.seeds[i], Result: one.Result()})
	}
	return all.Result(), runs
}

// plan is what a run is like.
type plan struct {
	retention, length time.Duration
	seeds             []int64
	setting           *sync.Mutex // held while a stage is set, which takes all cores
}

func (p plan) scenarios(t *testing.T, seed int64) (some []scenario.Scenario) {
	pattern, err := regexp.Compile(*only)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenario.Compressed(p.retention, seed) {
		if pattern.MatchString(s.Name) {
			some = append(some, s)
		}
	}
	return some
}

func (p plan) made() string {
	scenarios := scenario.Compressed(p.retention, 1)
	pairs := 0
	for _, s := range scenarios {
		pairs += len(s.Groups)
	}
	return fmt.Sprintf("Made on %s with `KRE_BROKER=1 KRE_FULL=1 go test -timeout 60m -parallel 3 ./test/compressed -update`, on %s/%s, %d cores: %d scenarios with %d pairs at once on one broker of Kafka %s for each seed, "+
		"retention R %v, checks every second, 1.3 R of history, polls of 1 s by the exporter's own loop, %v long, seeds %v; broker and exporter (with its state file) are restarted once each. "+
		"The truth is sampled five times a second. A rule of thumb stands beside the forecast where there is one; scripts and scores are those of `test/compressed`.",
		time.Now().UTC().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), len(scenarios), pairs, kafkatest.DefaultVersion, p.retention, p.length, p.seeds)
}

// set starts a broker and sets the stage on it.
func (p plan) set(t *testing.T, seed int64) (*kafkatest.Cluster, *scenario.Stage) {
	p.setting.Lock()
	defer p.setting.Unlock()
	cluster := kafkatest.Start(t, kafkatest.Options{})
	return cluster, scenario.Set(t, cluster.Addresses(), p.scenarios(t, seed))
}

// play sets the stage, watches it, and makes episodes of what was seen.
func play(t *testing.T, p plan, seed int64) []*track.Track {
	cluster, stage := p.set(t, seed)
	w := &watcher{t: t, stage: stage, addresses: cluster.Addresses(), file: filepath.Join(t.TempDir(), "state"), polls: map[scenario.Pair][]track.Poll{}, pairs: stage.Pairs()}
	ctx, cancel := context.WithCancel(t.Context())
	watching := make(chan error, 1)
	go func() { watching <- w.watch(ctx, p.length*7/10) }()
	restarted := make(chan error, 1)
	go func() { restarted <- restart(ctx, cluster.Broker(1), p.length*4/10) }()
	records := stage.Run(p.length, pollEvery, func(time.Time) []scenario.Forecast { return nil })
	cancel()
	for what, done := range map[string]chan error{"watch": watching, "restart the broker": restarted} {
		if err := <-done; err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	var all []*track.Track
	forecasts := 0
	for i, r := range records {
		some := tracks(r, w.polls[r.Pair], seed, i)
		for _, episode := range some {
			if said, ok := late(episode, r.Pair.Group); ok {
				t.Logf("broken promise: %s", said)
			}
			w.print(episode, r.Pair.Group)
		}
		forecasts += len(w.polls[r.Pair])
		all = append(all, some...)
		if len(r.Moves) == 0 {
			t.Errorf("the log start of %s never moved", r.Pair.Topic)
		}
	}
	t.Logf("%d episodes of %d pairs, %d forecasts, %v each", len(all), len(records), forecasts, w.spent/time.Duration(max(1, forecasts)))
	return all
}

// print writes the polls of an episode down, if that was asked for.
func (w *watcher) print(episode *track.Track, group string) {
	if *polls == "" {
		return
	}
	out, err := os.OpenFile(fmt.Sprintf("%s-%d", *polls, episode.Seed), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := errors.Join(printPolls(out, episode, group, w.starts[0]), out.Close()); err != nil {
		w.t.Fatal(err)
	}
}

// watch runs one exporter, and from the middle of the run another one with the first one's state file.
func (w *watcher) watch(ctx context.Context, restart time.Duration) error {
	first, end := context.WithTimeout(ctx, restart)
	defer end()
	if err := w.run(first); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(2 * time.Second):
	}
	return w.run(ctx)
}

// restart stops the broker after a while and starts it again.
func restart(ctx context.Context, b *kafkatest.Broker, after time.Duration) error {
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(after):
	}
	b.Stop()
	starting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return b.Start(starting)
}

// write puts the tables where the simulated ones are.
func write(t *testing.T, text string) {
	t.Helper()
	const path = "../../predictor/BACKTEST.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := docs.Replace(string(page), "real broker", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
}
