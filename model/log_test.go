package model_test

import (
	"errors"
	"testing"

	"kafka-retention-exporter/model"
)

func TestAppendRefusesWhatNoBrokerWrites(t *testing.T) {
	log := model.NewLog(with(), 1000)
	appendBatch(t, log, 1000, model.Batch{Base: 0, Last: 9, Size: 100})
	for name, b := range map[string]model.Batch{
		"below the end":  {Base: 9, Last: 12, Size: 10},
		"back to front":  {Base: 12, Last: 11, Size: 10},
		"without a byte": {Base: 10, Last: 10},
	} {
		if err := log.Append(1000, b); !errors.Is(err, model.ErrOffsetOrder) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if log.End() != 10 || log.Size() != 100 {
		t.Errorf("a refused batch left end %d, size %d", log.End(), log.Size())
	}
}

func TestHighWatermarkStaysWithinTheLog(t *testing.T) {
	log := logA(t, with())
	if err := log.RaiseStart(10); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ set, want model.Offset }{{26, 25}, {9, 10}, {17, 17}} {
		log.SetHighWatermark(c.set)
		if got := log.HighWatermark(); got != c.want {
			t.Errorf("set %d, is %d, want %d", c.set, got, c.want)
		}
	}
}

func TestJitterBringsTheRollForward(t *testing.T) {
	settings := with(func(s *model.Settings) { s.SegmentMs, s.SegmentJitterMs = 500, 900 })
	log := model.NewLog(settings, 0)
	log.SetJitter(func(bound model.Millis) model.Millis {
		if bound != 500 {
			t.Errorf("asked for jitter below %d, want segment.ms", bound)
		}
		return 100
	})
	log.Reload(0) // draws again
	for i, stamp := range []model.Instant{0, 400, 401} {
		appendBatch(t, log, stamp, batch(log, 10, stamp))
		if want := 1 + i/2; len(log.Segments()) != want {
			t.Errorf("%d segments after stamp %d, want %d", len(log.Segments()), stamp, want)
		}
	}
}

func TestCompactionLagRollsCompactedTopicsOnly(t *testing.T) {
	for p, want := range map[model.Policy]int{model.PolicyDelete: 1, model.PolicyCompact: 2, model.PolicyCompactDelete: 2} {
		log := model.NewLog(with(policy(p), func(s *model.Settings) { s.MaxCompactionLagMs = 100 }), 0)
		appendBatch(t, log, 0, batch(log, 10, 0))
		appendBatch(t, log, 101, batch(log, 10, 101))
		if got := len(log.Segments()); got != want {
			t.Errorf("policy %s: %d segments, want %d", p, got, want)
		}
	}
}

func TestIndexSettingsReachOnlyNewSegments(t *testing.T) {
	log := model.NewLog(with(), 0)
	appendBatch(t, log, 0, batch(log, 10, 0))
	tiny := log.Settings()
	tiny.SegmentIndexBytes = 12 // a time index that is full while empty
	log.Configure(tiny)
	appendBatch(t, log, 0, batch(log, 10, 0))
	if got := len(log.Segments()); got != 1 {
		t.Errorf("%d segments: the open segment's index shrank", got)
	}
	log.Reload(0)
	appendBatch(t, log, 0, batch(log, 10, 0))
	if got := len(log.Segments()); got != 2 {
		t.Errorf("%d segments: the reloaded index kept its size", got)
	}
}

func TestRollCauses(t *testing.T) {
	settings := model.DefaultSettings()
	wide := model.IndexFill{Limit: 1200}
	first := model.Known[model.Instant](0)
	for _, c := range []struct {
		segment model.Segment
		active  model.Active
		in      model.Batch
		want    string
	}{
		{seg(0, gib, 0), model.Active{Index: wide, First: first}, model.Batch{Size: 1, Stamped: true}, "size"},
		{seg(0, 1, 0), model.Active{Index: wide, First: first}, model.Batch{Size: 1, Stamped: true, MaxStamp: far}, "time"},
		{seg(0, 1, 0), model.Active{Index: model.IndexFill{Limit: 1200, OffsetEntries: 150}, First: first}, model.Batch{Size: 1}, "offset index full"},
		{seg(0, 1, 0), model.Active{Index: model.IndexFill{Limit: 1200, TimeEntries: 99}, First: first}, model.Batch{Size: 1}, "time index full"},
		{seg(5, 1, 0), model.Active{Index: wide, First: first}, model.Batch{Size: 1, Last: 5 + 1<<31}, "relative offset"},
	} {
		if cause, ok := model.DecideRoll(c.segment, c.active, c.in, settings, 0); !ok || cause.String() != c.want {
			t.Errorf("rolled %t by %s, want %s", ok, cause, c.want)
		}
	}
	almost := model.Active{Index: model.IndexFill{Limit: 1200, OffsetEntries: 149, TimeEntries: 98}, First: first}
	if cause, ok := model.DecideRoll(seg(5, gib-1, 0), almost, model.Batch{Size: 1, Last: 4 + 1<<31}, settings, 0); ok {
		t.Errorf("rolled by %s just below every limit", cause)
	}
}

func TestADeletedPrefixIsReleased(t *testing.T) {
	settings := with(bytes(1000))
	settings.SegmentBytes = 100
	log := model.NewLog(settings, 0)
	for range 1000 {
		for range 100 {
			appendBatch(t, log, 0, batch(log, 100, 0))
		}
		log.Pass(0)
	}
	if kept, room := len(log.Segments()), cap(log.Segments()); kept != 10 || room > 512 {
		t.Errorf("%d segments in room for %d", kept, room)
	}
}
