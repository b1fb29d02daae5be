package exporter_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

var update = flag.Bool("update", false, "rewrite the golden files; commit only differences that you understand")

// TestWholePage compares everything that a poll over a varied cluster serves with a golden file.
func TestWholePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, variedCluster)
		r.predictor.report = variedReport
		r.source.requests = map[string]int64{"Metadata": 1, "ListOffsets": 2}
		r.start()
		synctest.Wait()
		compareGolden(t, "testdata/metrics.golden.txt", withoutBuckets(r.scrape()))
	})
}

// withoutBuckets leaves the histogram out: its buckets are the library's.
func withoutBuckets(page string) string {
	return regexp.MustCompile(`(?m)^kafka_retention_poll_duration_seconds_.*\n`).ReplaceAllString(page, "")
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("%s line %d:\n got %s\nwant %s", path, i+1, gotLines[i], wantLines[i])
		}
	}
	t.Fatalf("%s: got %d lines, want %d", path, len(gotLines), len(wantLines))
}

func TestPedanticRegistryAndLinterAreContent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, variedCluster)
		r.predictor.report = variedReport
		r.start()
		synctest.Wait()
		registry := prometheus.NewPedanticRegistry()
		for _, c := range r.runtime.Collectors() {
			if err := registry.Register(c); err != nil {
				t.Fatal(err)
			}
		}
		problems, err := testutil.GatherAndLint(registry)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		// All but build_info, which main registers, are on the page of a varied cluster.
		if want := len(exporter.Families()) - 1; len(families) != want {
			t.Errorf("%d families served, %d announced", len(families), want)
		}
	})
}

func TestScrapesDuringPublishing(t *testing.T) {
	r := newRig(t, 100*time.Millisecond, time.Now, healthyCluster)
	r.start()
	var scrapers sync.WaitGroup
	for _, accept := range []string{"text/plain", "application/openmetrics-text;version=1.0.0"} {
		for _, encoding := range []string{"identity", "gzip"} {
			scrapers.Go(func() {
				for end := time.Now().Add(600 * time.Millisecond); time.Now().Before(end); {
					if w := r.get("/metrics", "Accept", accept, "Accept-Encoding", encoding); w.Code != 200 {
						t.Errorf("status %d: %s", w.Code, w.Body)
					}
					r.get("/api/v1/forecasts")
				}
			})
		}
	}
	scrapers.Wait()
	r.scrape()
}

func TestTheTightestLeaderDecidesTheTopicsRetention(t *testing.T) {
	page := pageOf(t, func(now model.Instant) *model.Snapshot {
		s := healthyCluster(now)
		second := model.PartitionKey{Topic: "orders", Partition: 1}
		s.Partitions[second] = model.Partition{Key: second, Leader: 2, LeaderKnown: true}
		tight := dayOrGigabyte()
		tight.RetentionMs, tight.RetentionBytes = 7_200_000, -1
		bystander := dayOrGigabyte()
		bystander.RetentionMs, bystander.RetentionBytes = 1, 1
		settings := s.Topics["orders"].Settings
		settings[2], settings[3] = model.ReadAt(tight, now), model.ReadAt(bystander, now)
		return s
	})
	has(t, page, `kafka_retention_topic_retention_seconds{topic="orders"} 7200`,
		`kafka_retention_topic_retention_bytes{topic="orders"} 1.073741824e+09`)
}

func TestLimitsThatAreOffOrInertAreInfinite(t *testing.T) {
	compacted := dayOrGigabyte()
	compacted.Policy = model.PolicyCompact
	unlimited := dayOrGigabyte()
	unlimited.RetentionMs, unlimited.RetentionBytes = -1, -1
	for name, s := range map[string]model.Settings{"compact-only": compacted, "unlimited": unlimited} {
		t.Run(name, func(t *testing.T) {
			page := pageOf(t, func(now model.Instant) *model.Snapshot {
				snap := healthyCluster(now)
				snap.Topics["orders"].Settings[1] = model.ReadAt(s, now)
				return snap
			})
			has(t, page, `kafka_retention_topic_retention_seconds{topic="orders"} +Inf`, `kafka_retention_topic_retention_bytes{topic="orders"} +Inf`)
		})
	}
}

func TestOldestRecordIsOnlyShownWhileItStandsAtTheLogStart(t *testing.T) {
	const series = "kafka_retention_partition_oldest_record_timestamp_seconds"
	for name, c := range map[string]struct {
		start, end model.Offset
		oldest     model.Stamped
		shown      bool
	}{
		"at the log start":                 {10, 100, model.Stamped{Offset: 10, Stamp: 5000, Found: true}, true},
		"first record behind a gap":        {10, 100, model.Stamped{Offset: 12, Stamp: 5000, Found: true}, true},
		"log start has moved past it":      {11, 100, model.Stamped{Offset: 10, Stamp: 5000, Found: true}, false},
		"no record has a stamp":            {10, 100, model.Stamped{}, false},
		"log has become empty since":       {100, 100, model.Stamped{Offset: 100, Stamp: 5000, Found: true}, false},
		"stamped at the start of the unix": {10, 100, model.Stamped{Offset: 10, Stamp: 0, Found: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			page := pageOf(t, func(now model.Instant) *model.Snapshot {
				s := healthyCluster(now)
				for key, p := range s.Partitions {
					p.LogStart, p.End, p.Oldest = model.ReadAt(c.start, now), model.ReadAt(c.end, now), model.ReadAt(c.oldest, now)
					s.Partitions[key] = p
				}
				return s
			})
			if got := strings.Contains(page, series+"{"); got != c.shown {
				t.Errorf("shown %t, want %t", got, c.shown)
			}
		})
	}
}

// TestSizeStaysWhileItsReadingIsNotDue has a source that reads sizes every ten minutes.
func TestSizeStaysWhileItsReadingIsNotDue(t *testing.T) {
	const minute = 60_000
	problem := model.Problem{Stage: model.StageLogDirs, Cause: "CLUSTER_AUTHORIZATION_FAILED", Broker: 1, HasBroker: true}
	for name, c := range map[string]struct {
		age, silence model.Millis // of the size and of its broker
		problems     []model.Problem
		shown        bool
	}{
		"just read":                         {age: 0, shown: true},
		"not due, broker answers":           {age: 9 * minute, shown: true},
		"overdue":                           {age: 12 * minute},
		"not due, but the broker is silent": {age: 9 * minute, silence: 2 * minute},
		"refused in the last poll":          {age: 9 * minute, problems: []model.Problem{problem}},
		"refused, but read lately":          {age: minute, problems: []model.Problem{problem}, shown: true},
	} {
		t.Run(name, func(t *testing.T) {
			page := pageOf(t, func(now model.Instant) *model.Snapshot {
				s := healthyCluster(now)
				for key, p := range s.Partitions {
					p.Size = model.ReadAt(model.SizeRead{Bytes: 1}, now.Add(-c.age))
					s.Partitions[key] = p
				}
				s.Brokers[1] = model.Broker{ID: 1, LastAnswer: model.ReadAt(struct{}{}, now.Add(-c.silence))}
				s.Problems = c.problems
				return s
			})
			if got := strings.Contains(page, "kafka_retention_partition_size_bytes{"); got != c.shown {
				t.Errorf("shown %t, want %t", got, c.shown)
			}
		})
	}
}

func TestTimeToLossIsNeverNegative(t *testing.T) {
	for name, c := range map[string]struct {
		state predictor.State
		loss  func(now model.Instant) model.Instant
		want  string
	}{
		"ahead":        {predictor.Progressing, func(now model.Instant) model.Instant { return now + 1500 }, "1.5"},
		"overdue":      {predictor.Stalled, func(now model.Instant) model.Instant { return now - 1500 }, "0"},
		"lost":         {predictor.Lost, func(now model.Instant) model.Instant { return now - 90_000 }, "0"},
		"never":        {predictor.CaughtUp, func(model.Instant) model.Instant { return model.Forever }, "+Inf"},
		"in the years": {predictor.Stalled, func(now model.Instant) model.Instant { return now + 365*86_400_000_000 }, "3.1536e+10"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, 30*time.Second, time.Now, healthyCluster)
				r.predictor.report = func(_ *model.Snapshot, now model.Instant) *predictor.Report {
					at := model.Known(c.loss(now))
					f := predictor.Forecast{Key: model.PairKey{Group: "g"}, State: model.Known(c.state), InputsAt: model.Known(now)}
					f.Loss, f.Earliest, f.Latest, f.Stopped, f.Floor = at, at, at, at, at
					return &predictor.Report{At: now, Pairs: []predictor.Forecast{f}}
				}
				r.start()
				synctest.Wait()
				has(t, r.scrape(), `kafka_retention_group_time_to_loss_seconds{consumergroup="g",partition="0",topic=""} `+c.want)
			})
		})
	}
}

func TestOddNamesStayApartAndValid(t *testing.T) {
	names := []string{"a b", "a#b", "a:b", "a\"b\n", `a\b`, "日本🙂", strings.Repeat("x", 250), "a\xff", "a\xfe", "a\uFFFD", ""}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			s := healthyCluster(now)
			for _, name := range names {
				s.Groups[name] = s.Groups["billing"]
			}
			delete(s.Groups, "billing")
			return s
		})
		r.start()
		synctest.Wait()
		page := r.scrape()
		if got := strings.Count(page, "\nkafka_retention_group_committed_offset{"); got != len(names) {
			t.Errorf("%d series for %d groups:\n%s", got, len(names), samplesLike(page, "kafka_retention_group_committed_offset"))
		}
		has(t, page, `kafka_retention_group_committed_offset{consumergroup="a\"b\n",partition="0",topic="orders"} 60`)
	})
}

// pageOf is the page after one poll over a cluster.
func pageOf(t *testing.T, cluster func(model.Instant) *model.Snapshot) (page string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, cluster)
		r.start()
		synctest.Wait()
		page = r.scrape()
	})
	return page
}

// variedCluster has a topic with both limits, a compacted one, one whose settings nobody may
// read, a dead broker, and what a poll leaves unread.
func variedCluster(now model.Instant) *model.Snapshot {
	s := healthyCluster(now)
	s.Brokers[2] = model.Broker{ID: 2, LastAnswer: model.ReadAt(struct{}{}, now-20_000)}
	first := s.Brokers[1]
	first.Dirs = map[string]model.Volume{"/data": {
		Total: model.ReadAt(model.Bytes(1<<40), now), Usable: model.ReadAt(model.Bytes(1<<39), now),
		Replicas: map[model.PartitionKey]model.Bytes{{Topic: "orders"}: 1 << 20},
	}}
	s.Brokers[1] = first
	compacted := dayOrGigabyte()
	compacted.Policy, compacted.TimestampType = model.PolicyCompactDelete, model.LogAppendTime
	s.Topics["changes"] = model.Topic{Name: "changes", Settings: map[model.BrokerID]model.Read[model.Settings]{1: model.ReadAt(compacted, now)}}
	s.Topics["secret"] = model.Topic{Name: "secret", Unreadable: true}
	s.Local = model.ReadAt(model.LocalBroker{ID: 1, ClusterID: "c-1", Replicas: map[model.PartitionKey]*model.LocalReplica{
		{Topic: "orders"}: {First: model.Known(now - 3_600_000), Segments: make([]model.Segment, 3), Deleted: 512},
		{Topic: "other"}:  {Segments: make([]model.Segment, 1)}, // not watched
	}}, now)
	empty := model.PartitionKey{Topic: "changes", Partition: 7}
	s.Partitions[empty] = model.Partition{
		Key: empty, Leader: 1, LeaderKnown: true, LogStart: model.ReadAt(model.Offset(1<<40), now), End: model.ReadAt(model.Offset(1<<40), now),
	}
	silent := model.PartitionKey{Topic: "secret", Partition: 0}
	s.Partitions[silent] = model.Partition{
		Key: silent, Leader: 2, LeaderKnown: true, Replicas: []model.BrokerID{2, 3}, // 3 is listed nowhere else
		LogStart: model.ReadAt(model.Offset(3), now-91_000), End: model.ReadAt(model.Offset(9), now-90_000),
	}
	s.Groups["stream-job"] = model.Group{Name: "stream-job", Kind: model.KindExternal, OffsetsRead: model.ReadAt(struct{}{}, now), Told: model.Known(now - 45_000)}
	s.Problems = []model.Problem{
		{Stage: model.StageConfigs, Cause: "TOPIC_AUTHORIZATION_FAILED", Topic: "secret", Count: 1},
		{Stage: model.StageEnds, Cause: "deadline", Broker: 2, HasBroker: true, Count: 1},
		{Stage: model.StageEnds, Cause: "deadline", Broker: 2, HasBroker: true, Count: 1},
	}
	return s
}

// variedReport has a pair of each kind: on its way, caught up, lost, without offset, and one
// whose leader has been silent for too long.
func variedReport(s *model.Snapshot, now model.Instant) *predictor.Report {
	key := model.PartitionKey{Topic: "orders"}
	onItsWay := simpleForecast(s, "billing", key, s.Groups["billing"].Offsets[key], now)
	onItsWay.FailoverExposed = model.Known(model.Offset(7))
	caughtUp := onItsWay
	caughtUp.Key.Group, caughtUp.State = "archive", model.Known(predictor.CaughtUp)
	caughtUp.Position, caughtUp.Lag, caughtUp.Used = model.Known(model.Offset(100)), model.Known(model.Offset(0)), model.Known(0.0)
	caughtUp.FailoverExposed = model.Known(model.Offset(0))
	caughtUp.NextStamp = model.Maybe[model.Instant]{}
	never := model.Known(model.Forever)
	caughtUp.Loss, caughtUp.Earliest, caughtUp.Latest, caughtUp.Stopped = never, never, never, never
	caughtUp.Closest = model.Known(model.Millis(7_200_000))
	lost := onItsWay
	lost.Key.Group, lost.State = "reports", model.Known(predictor.Lost)
	lost.Position, lost.Lag, lost.Used, lost.LostOffsets = model.Known(model.Offset(4)), model.Known(model.Offset(90)), model.Known(1.25), 6
	gone := model.Known(now - 500)
	lost.Loss, lost.Earliest, lost.Latest, lost.Stopped, lost.Floor = gone, gone, gone, gone, gone
	none := predictor.Forecast{Key: model.PairKey{Group: "fresh", PartitionKey: key}, Reason: model.Known(predictor.NoCommit)}
	silent := onItsWay
	silent.Key = model.PairKey{Group: "billing", PartitionKey: model.PartitionKey{Topic: "secret"}}
	silent.InputsAt = model.Known(now - 90_001)
	return &predictor.Report{
		At: now, Pairs: []predictor.Forecast{caughtUp, onItsWay, silent, none, lost},
		Audit: predictor.Audit{
			Deadlines: 12, BandHits: 11, Violations: map[predictor.Cause]int64{predictor.ConfigChanged: 3},
			Errors: predictor.Errors{Bounds: []model.Millis{500, 60_000}, Counts: []int64{2, 10}, All: 12, Sum: 250_500},
			Recent: predictor.Recent{Scored: 12, Median: model.Known(model.Millis(21_000))},
		},
		UnknownGroups: map[string]predictor.Reason{"shared": predictor.UnsupportedGroup},
		Groups: map[string]predictor.GroupOutlook{
			"billing": {OffsetsExpire: model.Known(model.Forever)},
			"archive": {OffsetsExpire: model.Known(now + 86_400_000)}, // not in the snapshot: nothing is said
		},
		Replicas: map[model.PartitionKey]predictor.ReplicaOutlook{{Topic: "orders"}: {
			Next: model.Known(now + 90_500), Segments: 2, Bytes: 4096, Offsets: 40,
			Blocker: model.Known(model.Offset(10)), Newest: model.Known(now - 10),
		}},
		Partitions: map[model.PartitionKey]predictor.Outlook{
			{Topic: "orders"}: {
				NextDeletion: model.Known(now + 90_500), NextBytes: model.Known(model.Bytes(4096)), ByteRate: model.Known(1000.0),
				FailoverLogStart: model.Known(model.Offset(67)),
				Blocker:          model.Known(model.Stamped{Offset: 33, Stamp: now + 7*86_400_000, Found: true}), Behind: model.Known(model.Offset(40)),
			},
			{Topic: "changes", Partition: 7}: {NextDeletion: model.Known(model.Forever)},
			{Topic: "secret"}:                {NextDeletion: model.Known(now + 1000), FailoverLogStart: model.Known(model.Offset(5))}, // its leader has been silent for too long
		},
	}
}
