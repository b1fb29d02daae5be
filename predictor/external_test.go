package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// kept is a scene with positions that are kept elsewhere, told at `told` and good for ten minutes.
func kept(t *testing.T, told *model.Millis) *scene {
	s, g := busy(t)
	g.kind, g.position, s.end = model.KindExternal, 35_000, 36_000
	s.change = func(snap *model.Snapshot) {
		k := snap.Groups["g"]
		k.Told, k.Lapses = model.Known(epoch.Add(*told)), model.Known(epoch.Add(*told+10*minute))
		snap.Groups["g"] = k
	}
	return s
}

// TestPositionsLapse: positions that are too old say nothing, however lately they were asked for;
// when they are told anew they do.
func TestPositionsLapse(t *testing.T) {
	told := model.Millis(0)
	s := kept(t, &told)
	s.at(0)
	s.at(10 * minute)
	if !s.of("g").Floor.IsKnown() || s.of("g").Reason == model.Known(predictor.Stale) {
		t.Errorf("right before they lapse: %+v", s.of("g").Forecast)
	}
	s.at(10*minute + second)
	f := s.of("g")
	f.unknown(predictor.Stale)
	if f.Position.IsKnown() || f.Floor.IsKnown() || f.State.IsKnown() || f.Lag.IsKnown() {
		t.Errorf("lapsed, and there is %+v", f.Forecast)
	}
	told = 11 * minute
	s.at(12 * minute)
	if !s.of("g").Floor.IsKnown() {
		t.Errorf("told anew: %+v", s.of("g").Forecast)
	}
}

// TestNoExpiryOfPositionsKeptElsewhere: they are not in the coordinator's hands.
func TestNoExpiryOfPositionsKeptElsewhere(t *testing.T) {
	told := model.Millis(0)
	s := kept(t, &told)
	s.at(0)
	s.at(minute)
	if outlook, there := s.report.Groups["g"]; there {
		t.Errorf("said to expire: %+v", outlook)
	}
}
