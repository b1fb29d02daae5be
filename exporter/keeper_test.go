package exporter_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/memory"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/test/locked"
)

// keeping is an exporter with a state file, and what it logged.
type keeping struct {
	predictor *fakePredictor
	log       *locked.Buffer
}

// keepFor runs one over a cluster until its time is over, and as an operator ends it.
func keepFor(t *testing.T, path string, d time.Duration, p *fakePredictor) keeping {
	t.Helper()
	k := keeping{predictor: p, log: &locked.Buffer{}}
	source := &fakeSource{poll: func(_ context.Context, now func() model.Instant) *model.Snapshot {
		s := healthyCluster(now())
		s.ClusterID = "abc"
		return s
	}}
	if p.report == nil {
		p.report = simpleReport
	}
	r, err := exporter.New(exporter.Config{PollInterval: 30 * time.Second, StateFile: path}, source, p, time.Now, slog.New(slog.NewTextHandler(k.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	r.Run(ctx)
	return k
}

// lastKept is the sum of what pairs lost by the file.
func lastKept(t *testing.T, path string) int64 {
	t.Helper()
	m, damage, err := memory.Load(path)
	if err != nil || damage.Any() || m.Cluster != "abc" || len(m.Pairs) != 1 {
		t.Fatalf("the file has %+v, damage %+v, %v", m, damage, err)
	}
	return m.Pairs[0].Lost
}

func remembered(lost int64) predictor.Memory {
	return predictor.Memory{Cluster: "abc", At: 1, Pairs: []predictor.PairMemory{{Group: "billing", Topic: "orders", Lost: lost}}}
}

// TestStateFileIsWrittenAndReadAgain: at the first poll, every five minutes, at once when something was lost,
// and at the end.
func TestStateFileIsWrittenAndReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "state")
		first := keepFor(t, path, 45*time.Second, &fakePredictor{memory: remembered(7)})
		if len(first.predictor.recalled) != 0 {
			t.Errorf("%v was recalled before there was a file", first.predictor.recalled)
		}
		if got := lastKept(t, path); got != 7 {
			t.Errorf("%d are kept as lost, want 7", got)
		}
		second := keepFor(t, path, time.Second, &fakePredictor{memory: remembered(8)})
		if got := second.predictor.recalled; len(got) != 1 || got[0].Pairs[0].Lost != 7 {
			t.Errorf("%+v was recalled", got)
		}
		if second.log.String() != "" {
			t.Errorf("log: %s", second.log)
		}
	})
}

func TestStateFileThatIsNotOurs(t *testing.T) {
	other := remembered(5)
	other.Cluster = "xyz"
	for name, write := range map[string]func(path string) error{
		"of another cluster": func(path string) error { return memory.Save(path, other) },
		"no memory at all":   func(path string) error { return os.WriteFile(path, []byte("my diary\nday 1\n"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "state")
				if err := write(path); err != nil {
					t.Fatal(err)
				}
				before, _ := os.ReadFile(path)
				k := keepFor(t, path, 5*time.Minute, &fakePredictor{memory: remembered(7)})
				after, _ := os.ReadFile(path)
				if string(before) != string(after) || len(k.predictor.recalled) != 0 || strings.Count(k.log.String(), "level=WARN") != 1 {
					t.Errorf("file %q, before %q; recalled %v; log %s", after, before, k.predictor.recalled, k.log)
				}
			})
		})
	}
}

// TestDamagedStateFile costs what it held, and one warning.
func TestDamagedStateFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "state")
		if err := memory.Save(path, remembered(5)); err != nil {
			t.Fatal(err)
		}
		whole, _ := os.ReadFile(path)
		if err := os.WriteFile(path, whole[:len(whole)-40], 0o600); err != nil {
			t.Fatal(err)
		}
		k := keepFor(t, path, time.Minute, &fakePredictor{memory: remembered(7)})
		if len(k.predictor.recalled) != 1 || strings.Count(k.log.String(), "level=WARN") != 1 {
			t.Errorf("recalled %v; log %s", k.predictor.recalled, k.log)
		}
		if got := lastKept(t, path); got != 7 {
			t.Errorf("%d are kept as lost, want 7", got)
		}
	})
}

// TestStateFileThatCannotBeWritten is said once, and polls go on.
func TestStateFileThatCannotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keepFor(t, filepath.Join(t.TempDir(), "none", "state"), 10*time.Minute, &fakePredictor{memory: remembered(7)})
		if n := strings.Count(k.log.String(), "level=WARN"); n != 1 || k.predictor.observed.Load() < 20 {
			t.Errorf("%d polls, log %s", k.predictor.observed.Load(), k.log)
		}
	})
}
