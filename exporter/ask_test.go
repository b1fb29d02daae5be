package exporter_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// hourlyLog is a log of ten segments of 10 offsets, one an hour, the last one active.
func hourlyLog(topic string, now model.Instant) []predictor.Log {
	if topic != "orders" {
		return nil
	}
	l := predictor.Log{
		Key: model.PartitionKey{Topic: topic}, Settings: dayOrGigabyte(), Sized: true, Laid: true, NextPass: now,
		Marks:   model.Marks{HighWatermark: 100, End: 100},
		Readers: []predictor.Reader{{Group: "billing", Position: 60, Before: 600, Lag: model.Known(model.Millis(4 * 3_600_000))}},
	}
	for i := range 10 {
		l.Segments = append(l.Segments, model.Segment{Base: model.Offset(10 * i), Size: 100, Largest: now.Add(-model.Millis(9-i) * 3_600_000), Stamped: true})
	}
	return []predictor.Log{l}
}

// asking serves the varied cluster for one test of questions.
func asking(t *testing.T, f func(*rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, variedCluster)
		r.predictor.report, r.predictor.logs = variedReport, hourlyLog
		r.start()
		synctest.Wait()
		f(r)
	})
}

func read[T any](r *rig, path string) (answer T) {
	r.t.Helper()
	w := r.get(path)
	if w.Code != http.StatusOK {
		r.t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		r.t.Fatal(err)
	}
	return answer
}

func TestCheckListsRisksAndFindings(t *testing.T) {
	asking(t, func(r *rig) {
		c := read[answers.Check](r, "/api/v1/check")
		if c.Exit != answers.ExitRisk || len(c.Risks) != 2 || c.Risks[0].Group != "reports" || c.Risks[0].State != "lost" || c.Risks[1].Group != "billing" {
			t.Errorf("exit %d, risks %+v", c.Exit, c.Risks)
		}
		if len(c.Findings) != 5 || c.Findings[2].Finding != "future_stamp" || len(c.Findings[2].Cure) != 2 {
			t.Errorf("findings %+v", c.Findings)
		}
		if len(c.Unsure) != 3 { // without an offset, stale, and a share group
			t.Errorf("unsure %+v", c.Unsure)
		}
		if near := read[answers.Check](r, "/api/v1/check?within=1s"); len(near.Risks) != 1 {
			t.Errorf("within a second: %+v", near.Risks)
		}
	})
}

func TestWhatIfAnswersFromTheRulesOfTheBroker(t *testing.T) {
	asking(t, func(r *rig) {
		var asked []model.TimeQuestion
		r.source.times = func(q []model.TimeQuestion) ([]model.TimeAnswer, []model.Problem) {
			asked = append(asked, q...)
			return nil, nil
		}
		w := read[answers.WhatIf](r, "/api/v1/whatif?topic=orders&set=retention.ms=5400000")
		if want := model.InstantOf(time.Now()).Add(-5_400_000); len(asked) != 1 || asked[0].At != want {
			t.Errorf("asked %+v, want the first record stamped %v or later", asked, want)
		}
		if w.Exit != answers.ExitRisk || len(w.Topics) != 1 {
			t.Fatalf("%+v", w)
		}
		o := w.Topics[0]
		if p := o.Partitions[0]; p.After != 80 || p.Bytes != 800 || p.Rules[0] != "time" {
			t.Errorf("pass %+v", p)
		}
		if len(o.Losing) != 1 || o.Losing[0].Records != 20 || o.Losing[0].Bytes != 200 {
			t.Errorf("losing %+v", o.Losing)
		}
		if ms, _ := o.Smallest.RetentionMs.Get(); ms != 8*3_600_000 {
			t.Errorf("smallest %+v", o.Smallest)
		}
		if safe := read[answers.WhatIf](r, "/api/v1/whatif?topic=orders&set=retention.ms=18000001"); safe.Exit != answers.ExitSafe || safe.Topics[0].Safe[0] != "billing" {
			t.Errorf("%+v", safe)
		}
		if none := read[answers.WhatIf](r, "/api/v1/whatif?topic=missing&set=retention.ms=1"); none.Exit != answers.ExitUnsure {
			t.Errorf("a topic that does not exist: %+v", none)
		}
	})
}

func TestPlanAnswers(t *testing.T) {
	asking(t, func(r *rig) {
		p := read[answers.Plan](r, "/api/v1/plan?topic=orders")
		if len(p.Topics) != 1 || p.Topics[0].Partitions[0].Least != 86_400_000 || p.Exit != answers.ExitSafe || len(p.Volumes) != 1 {
			t.Errorf("%+v", p)
		}
		if twice := read[answers.Plan](r, "/api/v1/plan?topic=orders&rate=2000"); twice.Topics[0].Partitions[0].Least != 172_800_000 {
			t.Errorf("%+v", twice)
		}
	})
}

func TestQuestionsThatMakeNoSense(t *testing.T) {
	asking(t, func(r *rig) {
		for _, path := range []string{
			"/api/v1/whatif", "/api/v1/whatif?topic=orders&set=retention.ms", "/api/v1/whatif?topic=orders&set=x=1&factor=2",
			"/api/v1/whatif?topic=orders&factor=-1", "/api/v1/check?within=soon", "/api/v1/plan?rate=NaN", "/api/v1/plan?set=a",
		} {
			if w := r.get(path); w.Code != http.StatusBadRequest || strings.TrimSpace(w.Body.String()) == "" {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
	})
}

// TestAdviceGoesWithItsReadings lets the source fall silent: no finding stands on what is stale.
func TestAdviceGoesWithItsReadings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		polls := 0
		r := newRig(t, 30*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			if polls++; polls > 1 {
				return &model.Snapshot{Started: now, At: now}
			}
			return variedCluster(now)
		})
		r.predictor.report, r.predictor.logs = variedReport, hourlyLog
		r.start()
		synctest.Wait()
		has(t, r.scrape(), `kafka_retention_topic_finding{finding="future_stamp",topic="orders"} 1`)
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		hasNot(t, r.scrape(), "kafka_retention_topic_finding{", "kafka_retention_volume_")
		if c := read[answers.Check](r, "/api/v1/check"); c.Exit != answers.ExitUnsure || len(c.Findings) > 0 {
			t.Errorf("%+v", c)
		}
	})
}
