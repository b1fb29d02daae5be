package exporter_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

const lossSeries = `kafka_retention_group_loss_timestamp_seconds{consumergroup="billing"`

func TestBeforeTheFirstPollNothingIsClaimedAndCountersAreZero(t *testing.T) {
	r := newRig(t, 30*time.Second, time.Now, healthyCluster)
	page := r.scrape()
	has(t, page,
		"kafka_retention_up 0", "kafka_retention_polls_total 0",
		`kafka_retention_poll_failures_total{stage="ends"} 0`,
		`kafka_retention_kafka_requests_total{api="ListOffsets"} 0`,
		`kafka_retention_forecasts_unknown{reason="stale"} 0`)
	hasNot(t, page, "kafka_retention_last_poll", "kafka_retention_groups", "kafka_retention_group_", "kafka_retention_partition_")
	if got := r.get("/-/ready").Code; got != http.StatusServiceUnavailable {
		t.Errorf("ready answers %d before the first poll", got)
	}
	if got := r.get("/-/healthy").Code; got != http.StatusOK {
		t.Errorf("healthy answers %d before the first poll", got)
	}
}

func TestFirstPollFailsThenClusterComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		r := newRig(t, 30*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			if time.Since(begin) < 45*time.Second {
				return unreachable(now)
			}
			return healthyCluster(now)
		})
		r.start()
		synctest.Wait()
		has(t, r.scrape(), "kafka_retention_up 0", "kafka_retention_polls_total 1",
			`kafka_retention_poll_failures_total{stage="metadata"} 1`, `kafka_retention_poll_failures_total{stage="ends"} 0`)
		if r.predictor.observed.Load() != 0 {
			t.Error("the predictor was shown a poll that reached nobody")
		}
		if ready, healthy := r.get("/-/ready").Code, r.get("/-/healthy").Code; ready != 503 || healthy != 200 {
			t.Errorf("after a failed poll ready answers %d, healthy %d", ready, healthy)
		}

		time.Sleep(61 * time.Second)
		synctest.Wait()
		page := r.scrape()
		has(t, page, "kafka_retention_up 1", `kafka_retention_poll_failures_total{stage="metadata"} 2`,
			`kafka_retention_groups{kind="seen"} 3`, `kafka_retention_groups{kind="watched"} 1`,
			`kafka_retention_group_time_to_loss_seconds{consumergroup="billing",partition="0",topic="orders"} 3600`)
		if got := r.get("/-/ready").Code; got != http.StatusOK {
			t.Errorf("ready answers %d after a good poll", got)
		}
	})
}

func TestUpIsZeroFromTheFirstPollThatReachesNobodyAndForecastsStayUntilStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		r := newRig(t, 30*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			if time.Since(begin) < 20*time.Second {
				return healthyCluster(now)
			}
			carried := healthyCluster(model.InstantOf(begin)) // a source carries over what it knew
			carried.At, carried.Reached = now, false
			carried.Brokers = map[model.BrokerID]model.Broker{1: {ID: 1, LastAnswer: model.ReadAt(struct{}{}, model.InstantOf(begin))}}
			return carried
		})
		r.start()
		time.Sleep(31 * time.Second)
		synctest.Wait()
		page := r.scrape()
		has(t, page, "kafka_retention_up 0", `kafka_retention_broker_up{broker="1"} 0`, `kafka_retention_forecasts_unknown{reason="stale"} 0`)
		if !strings.Contains(page, lossSeries) {
			t.Error("the forecast is gone after one missed poll")
		}

		time.Sleep(60 * time.Second) // 91 s after the last reading: three intervals and one second
		synctest.Wait()
		page = r.scrape()
		hasNot(t, page, lossSeries, "kafka_retention_partition_end_offset", "kafka_retention_groups", "kafka_retention_group_committed_offset",
			"kafka_retention_topic_retention_seconds", "kafka_retention_cluster_info")
		has(t, page, `kafka_retention_forecasts_unknown{reason="stale"} 1`, "kafka_retention_up 0", `kafka_retention_broker_up{broker="1"} 0`,
			`kafka_retention_group_lost_records_total{consumergroup="billing",partition="0",topic="orders"} 0`)
		if got := r.get("/-/healthy").Code; got != http.StatusOK {
			t.Errorf("healthy answers %d though polls end in time", got)
		}
	})
}

func TestHungPollWithdrawsForecastsAndHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		release := make(chan struct{})
		r := newRig(t, 30*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			if time.Since(begin) > 20*time.Second {
				<-release // ignores its context, as a bug would
			}
			return healthyCluster(model.InstantOf(time.Now()))
		})
		r.start()
		synctest.Wait()
		if page := r.scrape(); !strings.Contains(page, lossSeries) {
			t.Fatal("no forecast after the first poll")
		}
		time.Sleep(91 * time.Second)
		synctest.Wait()
		page := r.scrape()
		hasNot(t, page, lossSeries, "kafka_retention_broker_up")
		has(t, page, "kafka_retention_up 0", `kafka_retention_forecasts_unknown{reason="stale"} 1`, "kafka_retention_polls_total 1")

		time.Sleep(90 * time.Second) // the hung poll began 151 s ago
		synctest.Wait()
		if got := r.get("/-/healthy").Code; got != http.StatusServiceUnavailable {
			t.Errorf("healthy answers %d while the loop hangs", got)
		}
		close(release)
		synctest.Wait()
		if page := r.scrape(); !strings.Contains(page, lossSeries) {
			t.Error("no forecast after the loop went on")
		}
		if got := r.get("/-/healthy").Code; got != http.StatusOK {
			t.Errorf("healthy answers %d after the loop went on", got)
		}
	})
}

func TestPollThatOverrunsSkipsTheNextOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var starts []time.Duration
		r := newRig(t, 10*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			starts = append(starts, time.Since(begin))
			if len(starts) == 2 {
				time.Sleep(25 * time.Second)
				synctest.Wait()
			}
			return healthyCluster(now)
		})
		ctx, cancel := context.WithTimeout(t.Context(), 55*time.Second)
		defer cancel()
		r.runtime.Run(ctx)
		want := []time.Duration{0, 10 * time.Second, 40 * time.Second, 50 * time.Second}
		if len(starts) != len(want) {
			t.Fatalf("polls started at %v, want %v", starts, want)
		}
		for i := range want {
			if starts[i] != want[i] {
				t.Errorf("polls started at %v, want %v", starts, want)
			}
		}
	})
}

func TestSourceIsGivenADeadline(t *testing.T) {
	for _, c := range []struct{ interval, want time.Duration }{{30 * time.Second, 30 * time.Second}, {time.Second, 5 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, c.interval, time.Now, healthyCluster)
			var got atomic.Int64
			r.source.poll = func(ctx context.Context, now func() model.Instant) *model.Snapshot {
				deadline, _ := ctx.Deadline()
				got.Store(int64(time.Until(deadline)))
				return healthyCluster(now())
			}
			r.start()
			synctest.Wait()
			if got := time.Duration(got.Load()); got != c.want {
				t.Errorf("interval %s: the poll may take %s, want %s", c.interval, got, c.want)
			}
		})
	}
}

func TestQuestionsAreAskedInRoundsWithinTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 10*time.Second, time.Now, healthyCluster)
		question := model.TimeQuestion{Key: model.PartitionKey{Topic: "orders"}, At: 5}
		r.predictor.questions = func() []model.TimeQuestion { return []model.TimeQuestion{question} }
		r.source.times = func(q []model.TimeQuestion) ([]model.TimeAnswer, []model.Problem) {
			return []model.TimeAnswer{{TimeQuestion: q[0]}}, nil
		}
		r.start()
		synctest.Wait()
		if asked, learnt := r.predictor.asked.Load(), r.predictor.learnt.Load(); asked != 16 || learnt != 16 {
			t.Errorf("first poll: %d rounds, %d answers learnt, want 16 of each", asked, learnt)
		}
		time.Sleep(41 * time.Second) // polls two to five
		synctest.Wait()
		before := r.predictor.asked.Load()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if got := r.predictor.asked.Load() - before; got != 3 {
			t.Errorf("sixth poll: %d rounds, want 3", got)
		}
	})
}

func TestQuestionsStopWhenNobodyAnswersAndCountAsAFailedStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 10*time.Second, time.Now, healthyCluster)
		r.predictor.questions = func() []model.TimeQuestion { return make([]model.TimeQuestion, 3) }
		r.source.times = func([]model.TimeQuestion) ([]model.TimeAnswer, []model.Problem) {
			return nil, []model.Problem{{Stage: model.StageTimes, Cause: "deadline", Count: 3}}
		}
		r.start()
		synctest.Wait()
		if got := r.predictor.asked.Load(); got != 1 {
			t.Errorf("%d rounds though nobody answers", got)
		}
		has(t, r.scrape(), `kafka_retention_poll_failures_total{stage="times"} 1`, `kafka_retention_poll_failures_total{stage="metadata"} 0`)
	})
}

func TestSeriesOfVanishedGroupsAndTopicsVanish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		r := newRig(t, 10*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			s := healthyCluster(now)
			if time.Since(begin) > 5*time.Second {
				s.Topics, s.Partitions, s.Groups = nil, nil, nil
			}
			return s
		})
		r.start()
		synctest.Wait()
		has(t, r.scrape(), `kafka_retention_partition_end_offset{partition="0",topic="orders"} 100`)
		time.Sleep(11 * time.Second)
		synctest.Wait()
		for line := range strings.Lines(r.scrape()) {
			if strings.Contains(line, "orders") || strings.Contains(line, "billing") {
				t.Errorf("still there: %s", line)
			}
		}
	})
}

func TestStoppingEndsTheLoopAndPublishesNoHalfPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, healthyCluster)
		r.source.poll = func(ctx context.Context, now func() model.Instant) *model.Snapshot {
			<-ctx.Done()
			return unreachable(now())
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); r.runtime.Run(ctx) }()
		synctest.Wait()
		cancel()
		<-done
		has(t, r.scrape(), "kafka_retention_polls_total 0")
	})
}

func TestReportOfAPairWithoutLossIsCountedByItsReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, healthyCluster)
		r.predictor.report = func(_ *model.Snapshot, now model.Instant) *predictor.Report {
			pair := func(group string, why predictor.Reason) predictor.Forecast {
				return predictor.Forecast{Key: model.PairKey{Group: group}, Reason: model.Known(why), InputsAt: model.Known(now)}
			}
			return &predictor.Report{
				At:            now,
				Pairs:         []predictor.Forecast{pair("a", predictor.NoCommit), pair("b", predictor.BeyondEnd), pair("c", predictor.NoCommit)},
				UnknownGroups: map[string]predictor.Reason{"s": predictor.UnsupportedGroup},
			}
		}
		r.start()
		synctest.Wait()
		has(t, r.scrape(), `kafka_retention_forecasts_unknown{reason="no_commit"} 2`, `kafka_retention_forecasts_unknown{reason="beyond_end"} 1`,
			`kafka_retention_forecasts_unknown{reason="unsupported_group"} 1`, `kafka_retention_forecasts_unknown{reason="stale"} 0`)
	})
}
