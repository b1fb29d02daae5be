package collector_test

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

func question(topic string, partition int32, at model.Instant) model.TimeQuestion {
	return model.TimeQuestion{Key: key(topic, partition), At: at}
}

func TestRecordTimesAreAskedInOneRequestPerLeaderAndRound(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0, 0, 1)
	f.produce("orders", 0, 500, 600, 700)
	f.produce("orders", 1, 800)
	f.produce("orders", 2, 900)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	var answers []model.TimeAnswer
	requests := f.watch(func() {
		var problems []model.Problem
		answers, problems = c.RecordTimes(t.Context(), now, []model.TimeQuestion{
			question("orders", 0, 550), question("orders", 0, 700), question("orders", 0, 701),
			question("orders", 1, 0), question("orders", 2, 900),
		})
		if len(problems) > 0 {
			t.Errorf("problems: %+v", problems)
		}
	})

	found := map[model.TimeQuestion]model.Stamped{}
	for _, a := range answers {
		found[a.TimeQuestion] = a.Stamped
		if a.Asked == 0 {
			t.Errorf("answer without an instant: %+v", a)
		}
	}
	for q, expected := range map[model.TimeQuestion]model.Stamped{
		question("orders", 0, 550): {Offset: 1, Stamp: 600, Found: true},
		question("orders", 0, 700): {Offset: 2, Stamp: 700, Found: true},
		question("orders", 0, 701): {},
		question("orders", 1, 0):   {Offset: 0, Stamp: 800, Found: true},
		question("orders", 2, 900): {Offset: 0, Stamp: 900, Found: true},
	} {
		if got, answered := found[q]; !answered || got != expected {
			t.Errorf("%+v: have %+v (answered %v), want %+v", q, got, answered, expected)
		}
	}
	// The first round goes to both leaders, the second and third only to the one that is asked
	// for three times of one partition.
	var sizes []int
	for _, r := range requests {
		q := r.body.(*kmsg.ListOffsetsRequest)
		sizes = append(sizes, len(q.Topics[0].Partitions))
	}
	slices.Sort(sizes)
	if want := []int{1, 1, 1, 2}; !slices.Equal(sizes, want) {
		t.Errorf("partitions per request: %v, want %v", sizes, want)
	}
}

func TestRecordTimesSayWhatCouldNotBeAnswered(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.topic("tiered", nil, 0)
	f.produce("orders", 0, 500)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: "tiered", Err: kerr.ReplicaNotAvailable, Count: -1})
	answers, problems := c.RecordTimes(t.Context(), now, []model.TimeQuestion{
		question("orders", 0, 0), question("tiered", 0, 0), question("unheard-of", 0, 0),
	})
	if len(answers) != 1 || answers[0].Key != key("orders", 0) {
		t.Errorf("answers: %+v", answers)
	}
	s := &model.Snapshot{Problems: problems}
	problem(t, s, model.StageTimes, "REPLICA_NOT_AVAILABLE")
	problem(t, s, model.StageTimes, "LEADER_NOT_AVAILABLE")
}

func TestRecordTimesBeforeTheFirstPollAreProblems(t *testing.T) {
	c := newCollector(t, newFake(t).config())
	answers, problems := c.RecordTimes(t.Context(), clock(), []model.TimeQuestion{question("orders", 0, 0)})
	if len(answers) != 0 || len(problems) != 1 {
		t.Errorf("answers %+v, problems %+v", answers, problems)
	}
}

func TestOldestRecordIsAskedOnlyWhenTheLogStartMoved(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.steady())
	now := clock()
	asked := func() int {
		n := 0
		for _, r := range f.watch(func() { pollWhole(t, c, now) }) {
			if stageOf(r) == "times" {
				n++
			}
		}
		return n
	}
	steps := []struct {
		name   string
		change func()
		want   int
	}{
		{"first poll", func() {}, 1},
		{"still empty", func() {}, 0},
		{"first records", func() { f.produce("orders", 0, 500, 600) }, 1},
		{"more records", func() { f.produce("orders", 0, 700) }, 0},
		{"log start moved", func() { f.deleteRecords("orders", 0, 1) }, 1},
		{"nothing new", func() {}, 0},
	}
	for _, step := range steps {
		step.change()
		if got := asked(); got != step.want {
			t.Errorf("%s: %d requests, want %d", step.name, got, step.want)
		}
	}
	s := pollWhole(t, c, now)
	want(t, "oldest", s.Partitions[key("orders", 0)].Oldest, model.Stamped{Offset: 1, Stamp: 600, Found: true})
}
