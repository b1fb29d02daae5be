package report_test

import (
	"strings"
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/report"
	"kafka-retention-exporter/predictor/backtest/score"
	"kafka-retention-exporter/predictor/backtest/track"
)

// judged is a run on a broker with two groups that are forecast with an error.
func judged(time, size float64) score.Result {
	s := score.NewOf(1, report.Distances())
	s.Add(stopped("one", track.ByTime, false, off(time)))
	s.Add(stopped("other", track.BySize, false, off(size)))
	return s.Result()
}

func TestPromisesAreKeptOrMissed(t *testing.T) {
	good, bad := judged(0, 0.01), judged(0.5, 0.01)
	for _, p := range report.Promises() {
		timed := p.Rule == track.ByTime && strings.Contains(p.Name, "median error")
		if kept, said := p.Kept(&good, 1); timed && !kept {
			t.Errorf("missed: %s", said)
		}
		if kept, said := p.Kept(&bad, 1); timed && kept {
			t.Errorf("kept: %s", said)
		}
	}
	worse := judged(0.25, 0.01)
	for _, p := range report.Promises() {
		exact, _ := p.Kept(&worse, 1)
		twice, said := p.Kept(&worse, 4)
		if p.Rule == track.ByTime && strings.Contains(p.Name, "deadline if it stopped, 0.3") && (exact || !twice) {
			t.Errorf("four times the bound is not enough, or one is: %s", said)
		}
	}
	nothing := score.New(1).Result()
	for _, p := range report.Promises() {
		if kept, said := p.Kept(&nothing, 2); kept {
			t.Errorf("kept, though nothing was measured: %s", said)
		}
	}
}

func TestTablesOfTheBroker(t *testing.T) {
	good, bad := judged(0, 0.01), judged(0.5, 0.01)
	text := report.OnBroker("Made somehow.", bad, []report.Played{{Seed: 1, Result: good}, {Seed: 2, Result: bad}})
	for _, want := range []string{
		"Made somehow.\n",
		"| rule | quantity | promised | this exporter | seed 1 | seed 2 | best rule of thumb | which |  |\n",
		"| time | deadline if it stopped, 0.3 to 1 R before: median error | <= 1 % |", "| **missed** |\n",
		"| size | R - age |", "| other | 1 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "oracle") || strings.Contains(text, "%!") || strings.Contains(text, "NaN") {
		t.Errorf("what does not belong there is in\n%s", text)
	}
}

func off(hours float64) model.Millis { return model.Millis(hours * float64(hour)) }
