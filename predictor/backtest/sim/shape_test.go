package sim

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"kafka-retention-exporter/model"
)

func TestTracesAreRead(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("b.csv", "timestamp,value\n2015-02-26 21:42:53,104\n2015-02-26 21:47:53,0\n2015-02-26 21:52:53,1.5\n")
	write("a.csv", "timestamp,value\n2014-07-01 00:00:00,10\n2014-07-01 00:30:00,20\n")
	all, err := Traces(folder)
	if err != nil || len(all) != 2 || all[0].Name != "a.csv" || all[1].Step != 5*minute {
		t.Fatalf("traces %+v, %v", all, err)
	}
	shape := all[1].From(1000, 1)
	for at, want := range map[model.Instant]float64{1000: 0, 1000 + model.Instant(5*minute): 1.5, 1000 + model.Instant(10*minute): 104, 1000 - model.Instant(5*minute): 104} {
		if got := shape(at); got != want {
			t.Errorf("at %d: %v, want %v", at, got, want)
		}
	}
	if none, err := Traces(filepath.Join(folder, "nothing")); err != nil || len(none) != 0 {
		t.Errorf("a folder that is not there: %v, %v", none, err)
	}
	write("c.csv", "timestamp,value\n2014-07-01 00:00:00,many\n")
	if _, err := Traces(folder); err == nil {
		t.Error("a value that is no number is taken")
	}
}

func TestWhatIsProducedIsWhatTheShapeSays(t *testing.T) {
	for _, name := range []string{"const", "daily", "weekly", "night_idle", "growth"} {
		p := Draw(family(t, name), Options{Seed: 3}, 0)
		w := newWorld(p)
		w.advance(p.end())
		want := p.Producer.PerMs * float64(p.end().Sub(p.Begin))
		if got := float64(w.log.End()); math.Abs(got/want-1) > 0.05 {
			t.Errorf("%s: %v records, want %v", name, got, want)
		}
	}
}
