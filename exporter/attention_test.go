package exporter_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// TestLogStartThatRestsIsNotStale: a slower reading is not staleness, but one that stands for the
// present no longer is (metrics.md "Stale").
func TestLogStartThatRestsIsNotStale(t *testing.T) {
	const minute = 60_000
	for name, c := range map[string]struct {
		age   model.Millis
		holds model.Maybe[model.Millis] // how long ago it stood for the present
		shown bool
	}{
		"read long ago, and rests":             {age: 5 * minute, holds: model.Known(model.Millis(0)), shown: true},
		"read long ago, and did rest":          {age: 9 * minute, holds: model.Known(model.Millis(4 * minute))},
		"read long ago":                        {age: 5 * minute},
		"read lately, though it rested before": {age: 0, holds: model.Known(model.Millis(9 * minute)), shown: true},
	} {
		t.Run(name, func(t *testing.T) {
			page := pageOf(t, func(now model.Instant) *model.Snapshot {
				s := healthyCluster(now)
				for key, p := range s.Partitions {
					p.LogStart = model.ReadAt(model.Offset(1), now.Add(-c.age))
					if ago, ok := c.holds.Get(); ok {
						p.LogStartHolds = model.Known(now.Add(-ago))
					}
					s.Partitions[key] = p
				}
				return s
			})
			if got := strings.Contains(page, "kafka_retention_partition_log_start_offset{"); got != c.shown {
				t.Errorf("shown %t, want %t", got, c.shown)
			}
		})
	}
}

func TestSourceIsToldWhatTheForecastsNeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, healthyCluster)
		key := model.PartitionKey{Topic: "orders"}
		r.predictor.report = func(s *model.Snapshot, now model.Instant) *predictor.Report {
			report := simpleReport(s, now)
			report.Attention.LogStarts = map[model.PartitionKey]model.Instant{key: now.Add(1)}
			return report
		}
		var told []model.Attention
		r.source.attend = func(a model.Attention) { told = append(told, a) }
		r.start()
		time.Sleep(31 * time.Second)
		synctest.Wait()
		if len(told) != 2 || !told[1].LogStartRests(key, model.InstantOf(time.Now().Add(-time.Second))) {
			t.Errorf("after two polls the source was told %v", told)
		}
	})
}
