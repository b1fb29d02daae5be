package advice_test

import (
	"slices"
	"testing"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// hourly is a log of ten segments of 100 offsets and 1 MiB, one an hour, the last one active.
func hourly(readers ...predictor.Reader) predictor.Log {
	s := model.DefaultSettings()
	s.RetentionMs, s.SegmentMs = 7*day, hour
	l := predictor.Log{
		Key: model.PartitionKey{Topic: "t"}, Leader: model.Known(model.BrokerID(1)), Settings: s, Sized: true, Laid: true,
		Marks: model.Marks{Start: 0, HighWatermark: 1000, End: 1000}, Check: 300 * second, NextPass: noon.Add(60 * second),
		ByteRate: model.Known(float64(mib) / 3600), Readers: readers,
	}
	for i := range 10 {
		l.Segments = append(l.Segments, model.Segment{
			Base: model.Offset(100 * i), Size: mib, Largest: noon.Add(-model.Millis(9-i) * hour), Stamped: true,
		})
	}
	return l
}

func at(group string, position model.Offset, lag model.Millis) predictor.Reader {
	return predictor.Reader{Group: group, Position: position, Before: mib * model.Bytes(position) / 100, Lag: model.Known(lag)}
}

func ask(t *testing.T, changes ...string) advice.Question {
	t.Helper()
	q := advice.Question{Topic: "t", Factor: 2, Replicas: map[model.PartitionKey]int{{Topic: "t"}: 3}}
	for _, text := range changes {
		c, err := advice.ParseChange(text)
		if err != nil {
			t.Fatal(err)
		}
		q.Changes = append(q.Changes, c)
	}
	return q
}

func TestWhatIf(t *testing.T) {
	for name, c := range map[string]struct {
		changes []string
		start   model.Offset
		upTo    model.Instant
		rules   []model.Rule
		losing  map[string]model.Offset // records
		safe    []string
	}{
		"by time":                 {[]string{"retention.ms=16200000"}, 500, noon.Add(-5 * hour), []model.Rule{model.RuleTime}, map[string]model.Offset{"slow": 450}, []string{"edge", "fast"}},
		"by size":                 {[]string{"retention.bytes=4194304"}, 600, noon.Add(-4 * hour), []model.Rule{model.RuleSize}, map[string]model.Offset{"slow": 550, "edge": 100}, []string{"fast"}},
		"both, size takes more":   {[]string{"retention.ms=28800000", "retention.bytes=4194304"}, 600, noon.Add(-4 * hour), []model.Rule{model.RuleSize}, map[string]model.Offset{"slow": 550, "edge": 100}, []string{"fast"}},
		"both, time takes more":   {[]string{"retention.ms=16200000", "retention.bytes=8388608"}, 500, noon.Add(-5 * hour), []model.Rule{model.RuleSize, model.RuleTime}, map[string]model.Offset{"slow": 450}, []string{"edge", "fast"}},
		"nothing":                 {[]string{"retention.ms=86400000"}, 0, 0, nil, nil, []string{"edge", "fast", "slow"}},
		"segments alone":          {[]string{"segment.bytes=1048576", "segment.ms=1000"}, 0, 0, nil, nil, []string{"edge", "fast", "slow"}},
		"all, the active one too": {[]string{"retention.ms=1000"}, 1000, noon, []model.Rule{model.RuleTime}, map[string]model.Offset{"slow": 950, "edge": 500, "fast": 5}, nil},
		"policy compact":          {[]string{"retention.ms=1000", "cleanup.policy=compact"}, 0, 0, nil, nil, []string{"edge", "fast", "slow"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := hourly(at("slow", 50, 9*hour), at("edge", 500, 4*hour), at("fast", 995, 0))
			out := advice.WhatIf(ask(t, c.changes...), []predictor.Log{l}, noon)
			pass := out.Partitions[0]
			if len(out.Unsure) > 0 || pass.Start != 0 || pass.After != c.start || pass.Bytes != mib*model.Bytes(c.start)/100 || pass.AllReplicas != 3*pass.Bytes || !slices.Equal(pass.Rules, c.rules) {
				t.Errorf("%+v, unsure %v", pass, out.Unsure)
			}
			if upTo, _ := pass.UpTo.Get(); upTo != c.upTo {
				t.Errorf("up to %v, want %v", upTo, c.upTo)
			}
			if pass.DiskBack != noon.Add(60*second+60*second) {
				t.Errorf("disk back at %v", pass.DiskBack)
			}
			lost := map[string]model.Offset{}
			for _, l := range out.Losing {
				lost[l.Group] = l.Records()
				if want := mib * model.Bytes(l.Records()) / 100; l.Bytes-want > 1 || want-l.Bytes > 1 { // half a byte in the middle of a segment
					t.Errorf("%s loses %d bytes, want %d", l.Group, l.Bytes, want)
				}
			}
			if len(lost) != len(c.losing) || lost["slow"] != c.losing["slow"] || lost["edge"] != c.losing["edge"] || lost["fast"] != c.losing["fast"] || !slices.Equal(out.Safe, c.safe) {
				t.Errorf("lost %v, safe %v; want %v, %v", lost, out.Safe, c.losing, c.safe)
			}
		})
	}
}

// TestSmallestRetention is case C14: lags of 2 h, 9 h and 31 h at 2 MiB/s make 62 h, and what
// arrives in that time, about 436 GiB.
func TestSmallestRetention(t *testing.T) {
	l := hourly(at("a", 900, 2*hour), at("b", 800, 9*hour))
	l.ByteRate = model.Known(2.0 * float64(mib))
	q := ask(t, "retention.ms=86400000")
	q.Seen = advice.Lag{Time: 31 * hour, Group: "c"}
	small := advice.WhatIf(q, []predictor.Log{l}, noon).Smallest
	ms, _ := small.RetentionMs.Get()
	bytes, _ := small.RetentionBytes.Get()
	if ms != 62*hour || small.Lag.Group != "c" || bytes/gib != 435 {
		t.Errorf("retention.ms=%d (%s), retention.bytes=%d GiB", ms, small.Lag.Group, bytes/gib)
	}
}

func TestWhatArrivesBeforeThePassCounts(t *testing.T) {
	l := hourly(at("slow", 0, 9*hour))
	l.Arriving = float64(mib) / 60                                                    // one more by the pass
	out := advice.WhatIf(ask(t, "retention.bytes=9961472"), []predictor.Log{l}, noon) // 9.5 MiB
	if p := out.Partitions[0]; p.After != 100 {
		t.Errorf("log start after the pass %d, want 100", p.After)
	}
}

func TestWhatCannotBeToldIsSaid(t *testing.T) {
	for name, bend := range map[string]func(*predictor.Log){
		"not laid":  func(l *predictor.Log) { l.Laid = false },
		"no sizes":  func(l *predictor.Log) { l.Sized = false },
		"compacted": func(l *predictor.Log) { l.Settings.Policy = model.PolicyCompactDelete },
		"tiered":    func(l *predictor.Log) { l.Settings.Tiered = true },
		"no stamps": func(l *predictor.Log) { l.Segments[9].Stamped = false },
	} {
		t.Run(name, func(t *testing.T) {
			l := hourly()
			bend(&l)
			if out := advice.WhatIf(ask(t, "retention.ms=1000", "retention.bytes=1"), []predictor.Log{l}, noon); len(out.Unsure) == 0 {
				t.Errorf("%+v", out)
			}
		})
	}
	if out := advice.WhatIf(ask(t, "retention.ms=1"), nil, noon); len(out.Unsure) != 1 {
		t.Errorf("no such topic: %+v", out)
	}
}

func TestChangesThatABrokerWouldRefuse(t *testing.T) {
	for _, text := range []string{"retention.ms", "retention.ms=", "retention.ms=-2", "retention.ms=1d", "segment.ms=0", "compression.type=zstd", "cleanup.policy=keep"} {
		if c, err := advice.ParseChange(text); err == nil {
			t.Errorf("%s is taken as %v", text, c)
		}
	}
}

func TestCutoffsAskForTheFirstRecordThatStays(t *testing.T) {
	q := ask(t, "retention.ms=3600000")
	got := advice.Cutoffs(q.Changes, []predictor.Log{hourly()})
	if len(got) != 1 || got[0].At != noon.Add(60*second-hour) {
		t.Errorf("%+v", got)
	}
}
