package advice_test

import (
	"testing"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// TestSteadyStateIsWhereTheModelSettles lets a steady producer fill the broker's own rules and
// compares the bytes with the formula, for the time rule, the size rule and both.
func TestSteadyStateIsWhereTheModelSettles(t *testing.T) {
	const (
		batch = model.Bytes(1000)
		every = model.Millis(100)
		check = 5 * second
	)
	for name, c := range map[string]struct {
		age    model.Millis
		limit  model.Bytes
		rollMs model.Millis
		roll   model.Bytes
		rule   model.Rule
	}{
		"time, rolled by time":  {120 * second, -1, 7 * second, 1 << 30, model.RuleTime},
		"time, rolled by bytes": {120 * second, -1, day, 90_000, model.RuleTime},
		"size, rolled by bytes": {-1, 1_000_000, day, 90_000, model.RuleSize},
		"size, rolled by time":  {-1, 1_000_000, 7 * second, 1 << 30, model.RuleSize},
		"both, time first":      {120 * second, 2_000_000, 7 * second, 1 << 30, model.RuleTime},
		"both, size first":      {120 * second, 600_000, 7 * second, 1 << 30, model.RuleSize},
	} {
		t.Run(name, func(t *testing.T) {
			s := model.DefaultSettings()
			s.RetentionMs, s.RetentionBytes, s.SegmentMs, s.SegmentBytes = c.age, c.limit, c.rollMs, c.roll
			mean, most := settle(t, s, batch, every, check)
			plan, ok := advice.SteadyState(s, float64(batch)*1000/float64(every), check)
			if !ok || plan.Rule != c.rule {
				t.Fatalf("%+v (%t)", plan, ok)
			}
			if off := float64(plan.Mean)/mean - 1; off > 0.02 || off < -0.02 {
				t.Errorf("mean %d, settles at %.0f", plan.Mean, mean)
			}
			if over := most - plan.Most; over > batch || -over > plan.Most/20 {
				t.Errorf("most %d, was %d", plan.Most, most)
			}
		})
	}
}

// settle plays a steady producer for an hour and returns the mean and the most of the second half.
func settle(t *testing.T, s model.Settings, batch model.Bytes, every, check model.Millis) (mean float64, most model.Bytes) {
	t.Helper()
	log := model.NewLog(s, noon)
	sum, n := 0.0, 0
	for d := model.Millis(0); d < hour; d += every {
		now := noon.Add(d)
		if err := log.Append(now, model.Batch{Base: log.End(), Last: log.End(), Size: batch, MaxStamp: now, Stamped: true}); err != nil {
			t.Fatal(err)
		}
		log.SetHighWatermark(log.End())
		if d > hour/2 {
			sum, n, most = sum+float64(log.Size()), n+1, max(most, log.Size())
		}
		if (d+37*every)%check == 0 {
			log.Pass(now)
		}
	}
	return sum / float64(n), most
}

func TestWithoutALimitNothingSettles(t *testing.T) {
	s := model.DefaultSettings()
	s.RetentionMs = -1
	if plan, ok := advice.SteadyState(s, 1, 1); ok {
		t.Errorf("%+v", plan)
	}
}

// TestEffectiveRetention is case C03: 7 days and 8 GiB at 1 GiB/h are bound by size.
func TestEffectiveRetention(t *testing.T) {
	s := model.DefaultSettings()
	s.RetentionBytes = 8 * gib
	plan, ok := advice.SteadyState(s, float64(gib)/3600, 300*second)
	if !ok || plan.Rule != model.RuleSize || plan.Least != 8*gib || plan.Most < 9*gib || plan.Most > 9*gib+gib/8 {
		t.Errorf("%+v (%t)", plan, ok)
	}
}

func TestPlanCountsReplicas(t *testing.T) {
	c := calm()
	need := advice.Plan(c.snapshot(), c.report(), "t", model.Maybe[float64]{}, nil, noon)
	if len(need.Topics) != 1 || len(need.Topics[0].Partitions) != 1 || len(need.Unsure) > 0 {
		t.Fatalf("%+v", need)
	}
	p := need.Topics[0].Partitions[0]
	if p.Replicas != 2 || need.Cluster != 2*p.OnDisk || p.Least != 86_400_000 {
		t.Errorf("%+v, cluster %d", p, need.Cluster)
	}
	given := advice.Plan(c.snapshot(), c.report(), "t", model.Known(2000.0), nil, noon)
	if got := given.Topics[0].Partitions[0].Least; got != 2*p.Least {
		t.Errorf("at twice the rate %d, want %d", got, 2*p.Least)
	}
	if missing := advice.Plan(c.snapshot(), c.report(), "other", model.Maybe[float64]{}, nil, noon); len(missing.Unsure) != 1 {
		t.Errorf("no such topic: %+v", missing)
	}
}

func TestVolumes(t *testing.T) {
	for name, c := range map[string]struct {
		bend func(*cluster)
		full model.Maybe[model.Instant]
	}{
		"retention frees it in time": {func(*cluster) {}, model.Known(model.Forever)},
		"no limit": {func(c *cluster) { c.both(func(s *model.Settings) { s.RetentionMs = -1 }) },
			model.Known(noon.Add(model.Millis(50 * gib)))}, // 1000 B/s: one byte a millisecond
		"full before the log has its size": {func(c *cluster) {
			c.outlook.ByteRate, c.volume.Usable = model.Known(1e6), model.ReadAt(gib, noon)
		}, model.Known(noon.Add(model.Millis(gib / 1000)))},
		"rate unknown":    {func(c *cluster) { c.outlook.ByteRate = model.Maybe[float64]{} }, model.Maybe[model.Instant]{}},
		"content unknown": {func(c *cluster) { c.volume.Replicas = nil }, model.Maybe[model.Instant]{}},
		"nothing arrives": {func(c *cluster) { c.outlook.ByteRate = model.Known(0.0) }, model.Known(model.Forever)},
	} {
		t.Run(name, func(t *testing.T) {
			k := calm()
			c.bend(k)
			all := advice.Volumes(k.snapshot(), k.report(), noon)
			if len(all) != 2 || all[0].Broker != 1 || all[1].Broker != 2 || all[0].Dir != "/data" {
				t.Fatalf("%+v", all)
			}
			have, known := all[0].Full.Get()
			want, ok := c.full.Get()
			if off := have.Sub(want); known != ok || off > 1 || off < -1 {
				t.Errorf("full %v (%t), want %v (%t)", have, known, want, ok)
			}
		})
	}
}

func TestVolumeWithOneLogThatStopsGrowing(t *testing.T) {
	c := calm()
	s := c.snapshot()
	other := model.PartitionKey{Topic: "u"}
	unlimited := c.settings[0]
	unlimited.RetentionMs = -1
	s.Topics["u"] = model.Topic{Name: "u", Settings: map[model.BrokerID]model.Read[model.Settings]{1: model.ReadAt(unlimited, noon), 2: model.ReadAt(unlimited, noon)}}
	s.Partitions[other] = model.Partition{Key: other, Leader: 1, LeaderKnown: true, Replicas: []model.BrokerID{1}}
	c.volume.Replicas[other] = 0
	report := c.report()
	report.Partitions[other] = predictor.Outlook{ByteRate: model.Known(1000.0)}
	first, _ := advice.SteadyState(c.settings[0], 1000, 300*second)
	room := first.OnDisk - 100*mib
	// The first takes room and stops; the other takes the rest.
	want := noon.Add(model.Millis(50*gib - max(0, room)))
	full, ok := advice.Volumes(s, report, noon)[0].Full.Get()
	if off := full.Sub(want); !ok || off > 2 || off < -2 {
		t.Errorf("full %v, want %v", full, want)
	}
}

func TestRisks(t *testing.T) {
	pair := func(name string, f predictor.Forecast) predictor.Forecast {
		f.Key.Group = name
		return f
	}
	known := func(d model.Millis) model.Maybe[model.Instant] { return model.Known(noon.Add(d)) }
	report := &predictor.Report{At: noon, Pairs: []predictor.Forecast{
		pair("later", predictor.Forecast{Loss: known(20 * hour), Stopped: known(hour)}),
		pair("lost", predictor.Forecast{Loss: known(-hour), State: model.Known(predictor.Lost)}),
		pair("never", predictor.Forecast{Loss: model.Known(model.Forever), Stopped: known(hour)}),
		pair("far", predictor.Forecast{Loss: known(30 * hour)}),
		pair("standing", predictor.Forecast{Stopped: known(2 * hour), Reason: model.Known(predictor.NotEnoughHistory)}),
		pair("standing far", predictor.Forecast{Stopped: known(48 * hour), Reason: model.Known(predictor.NotEnoughHistory)}),
		pair("unknown", predictor.Forecast{Reason: model.Known(predictor.NoCommit)}),
	}}
	risks, unsure := advice.Risks(report, day)
	var names []string
	for _, r := range risks {
		names = append(names, r.Key.Group)
	}
	if len(names) != 3 || names[0] != "lost" || names[1] != "standing" || names[2] != "later" || !risks[0].Lost || risks[1].Paced {
		t.Errorf("risks %v", names)
	}
	if len(unsure) != 1 || unsure[0].Key.Group != "unknown" {
		t.Errorf("unsure %+v", unsure)
	}
}
