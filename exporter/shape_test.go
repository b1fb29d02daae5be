package exporter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// shaped is a page in a shape.
func shaped(t *testing.T, shape exporter.Shape, cluster func(model.Instant) *model.Snapshot, report func(*model.Snapshot, model.Instant) *predictor.Report) (page, log string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, cluster)
		r.predictor.report = report
		r.build(exporter.Config{PollInterval: 30 * time.Second, SizesEvery: 10 * time.Minute, Metrics: shape}, time.Now)
		r.start()
		synctest.Wait()
		page, log = r.get("/metrics").Body.String(), r.log.String()
	})
	return page, log
}

// TestByTopic folds three partitions of one topic: one loses soon, one is safe, one is unknown.
func TestByTopic(t *testing.T) {
	report := func(s *model.Snapshot, now model.Instant) *predictor.Report {
		r := simpleReport(s, now)
		soon := r.Pairs[0]
		soon.State, soon.Used, soon.LostOffsets = model.Known(predictor.Stalled), model.Known(0.75), 3
		soon.Loss, soon.Earliest, soon.Latest = model.Known(now+60_000), model.Known(now+50_000), model.Known(now+70_000)
		soon.Stopped, soon.Floor = model.Known(now+60_000), model.Known(now+50_000)
		soon.Lag, soon.NextStamp, soon.FailoverExposed = model.Known(model.Offset(40)), model.Known(now-5000), model.Known(model.Offset(2))
		safe := soon
		safe.Key.Partition, safe.State, safe.Used, safe.LostOffsets = 1, model.Known(predictor.Progressing), model.Known(0.25), 4
		never := model.Known(model.Forever)
		safe.Loss, safe.Earliest, safe.Latest, safe.Stopped, safe.Floor = never, never, never, model.Known(now+90_000), model.Known(now+40_000)
		safe.Closest = model.Known(model.Millis(80_000))
		safe.Lag, safe.NextStamp, safe.FailoverExposed = model.Known(model.Offset(2)), model.Known(now-1000), model.Maybe[model.Offset]{}
		unknown := predictor.Forecast{Key: safe.Key, Reason: model.Known(predictor.NoCommit)}
		unknown.Key.Partition = 2
		r.Pairs = []predictor.Forecast{soon, safe, unknown}
		r.Partitions = map[model.PartitionKey]predictor.Outlook{
			{Topic: "orders"}:               {NextDeletion: model.Known(now + 9000), NextBytes: model.Known(model.Bytes(10))},
			{Topic: "orders", Partition: 1}: {NextDeletion: model.Known(now + 8000), NextBytes: model.Known(model.Bytes(20))},
		}
		return r
	}
	cluster := func(now model.Instant) *model.Snapshot {
		s := healthyCluster(now)
		second := s.Partitions[model.PartitionKey{Topic: "orders"}]
		second.Key.Partition = 1
		s.Partitions[second.Key] = second
		return s
	}
	page, _ := shaped(t, exporter.Shape{Granularity: exporter.ByTopic}, cluster, report)
	pair := `{consumergroup="billing",topic="orders"} `
	at := func(ms int64) string { return fmt.Sprint(946684800 + float64(ms)/1000) }
	has(t, page,
		"kafka_retention_group_loss_timestamp_seconds"+pair+at(60_000),
		"kafka_retention_group_loss_earliest_timestamp_seconds"+pair+at(50_000),
		"kafka_retention_group_loss_latest_timestamp_seconds"+pair+at(70_000),
		"kafka_retention_group_stopped_loss_timestamp_seconds"+pair+at(60_000),
		"kafka_retention_group_stopped_loss_floor_timestamp_seconds"+pair+at(40_000),
		"kafka_retention_group_next_record_timestamp_seconds"+pair+at(-5000),
		"kafka_retention_group_time_to_loss_seconds"+pair+"60",
		"kafka_retention_group_closest_approach_seconds"+pair+"80",
		"kafka_retention_group_retention_used_ratio"+pair+"0.75",
		"kafka_retention_group_lag_records"+pair+"42",
		"kafka_retention_group_failover_exposed_records"+pair+"2",
		"kafka_retention_group_lost_records_total"+pair+"7",
		`kafka_retention_group_state{consumergroup="billing",state="stalled",topic="orders"} 1`,
		`kafka_retention_forecasts_unknown{reason="no_commit"} 1`,
		`kafka_retention_partition_next_deletion_timestamp_seconds{topic="orders"} `+at(8000),
		`kafka_retention_partition_next_deletion_bytes{topic="orders"} 30`,
	)
	hasNot(t, page, "kafka_retention_group_committed_offset{", "kafka_retention_partition_log_start_offset{",
		"kafka_retention_partition_end_offset{", "kafka_retention_partition_failover_log_start_offset{")
	if strings.Contains(page, "partition=") {
		t.Error("the page has a label partition")
	}
	if strings.Count(page, "kafka_retention_partition_size_bytes{") != 1 {
		t.Error("want one size for the topic")
	}
}

func TestStandardDetailLeavesOutWhatIsMarked(t *testing.T) {
	full, _ := shaped(t, exporter.Shape{}, variedCluster, variedReport)
	page, _ := shaped(t, exporter.Shape{Detail: exporter.Standard}, variedCluster, variedReport)
	for _, f := range exporter.Families() {
		in, served := strings.Contains(full, "# TYPE "+f.Name+" "), strings.Contains(page, "# TYPE "+f.Name+" ")
		if want := in && !f.FullOnly; served != want {
			t.Errorf("%s: served %t, want %t", f.Name, served, want)
		}
	}
}

// TestLimitKeepsThoseAtRisk has five pairs and room for two.
func TestLimitKeepsThoseAtRisk(t *testing.T) {
	report := func(s *model.Snapshot, now model.Instant) *predictor.Report {
		r := simpleReport(s, now)
		one := r.Pairs[0]
		r.Pairs = nil
		for i, loss := range []model.Maybe[model.Instant]{
			model.Known(model.Forever), {}, model.Known(now + 90_000), model.Known(now + 80_000), model.Known(model.Forever),
		} {
			one.Key.Group = string(rune('a' + i))
			one.Loss, one.Earliest, one.Latest, one.Stopped, one.Floor = loss, loss, loss, loss, loss
			one.Reason = model.Maybe[predictor.Reason]{}
			if !loss.IsKnown() {
				one.Reason = model.Known(predictor.NotEnoughHistory)
			}
			r.Pairs = append(r.Pairs, one)
		}
		return r
	}
	page, log := shaped(t, exporter.Shape{MaxPairs: 2}, healthyCluster, report)
	var kept []string
	for line := range strings.Lines(page) {
		if name, ok := strings.CutPrefix(line, `kafka_retention_group_lag_records{consumergroup="`); ok {
			kept = append(kept, name[:1])
		}
	}
	if !slices.Equal(kept, []string{"c", "d"}) {
		t.Errorf("kept %v", kept)
	}
	has(t, page, `kafka_retention_forecasts_unknown{reason="limit"} 3`, `kafka_retention_forecasts_unknown{reason="not_enough_history"} 0`)
	if want := `level=WARN msg="Pairs without series: there are more than --metrics.max-pairs" cause=pair_limit count=3`; strings.TrimSpace(log) != want {
		t.Errorf("log %q", log)
	}
}
