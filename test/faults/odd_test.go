package faults

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

// TestLargeAnswerAndClockThatJumps does to a poll what one broker and one clock can: an answer that is larger
// than what we read, and a clock of our own that runs a day ahead of the broker's for some polls.
func TestLargeAnswerAndClockThatJumps(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{})
	ctx := c.Context(2 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "orders", Configs: map[string]string{"retention.ms": "3600000"}}))
	stamp := time.Now().Add(-10 * time.Minute)
	for i := range 10 {
		_, err := c.Produce(ctx, "orders", 0, 100, stamp.Add(time.Duration(i)*time.Second))
		c.Must(err)
	}
	c.Must(c.Commit(ctx, "slow", "orders", 0, 2))
	c.Must(c.Commit(ctx, "reader", "orders", 0, 5))
	t.Run("an answer is too large", func(t *testing.T) { answersTooMuch(ctx, t, c.For(t)) })
	t.Run("the clock jumps", func(t *testing.T) { clockJumps(ctx, t, c.For(t)) })
}

// answersTooMuch has a broker tell the positions of 200 groups that each keep 4 kB of notes beside theirs.
func answersTooMuch(ctx context.Context, t *testing.T, c *kafkatest.Cluster) {
	w := watch.NewAs(t, c.Addresses(), time.Second, func(config *collector.Config) { config.MaxAnswer = 500_000 })
	before := w.Poll(ctx)
	if len(before.Snapshot.Problems) > 0 {
		t.Fatalf("problems before anything happened: %+v", before.Snapshot.Problems)
	}
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("noted-%d", i))
		var offsets kadm.Offsets
		offsets.Add(kadm.Offset{Topic: "orders", At: 10, LeaderEpoch: -1, Metadata: strings.Repeat("x", 4000)})
		c.Must(c.Admin().CommitAllOffsets(ctx, names[i], offsets))
	}
	_, err := c.Produce(ctx, "orders", 0, 100, time.Now())
	c.Must(err)

	for range 2 {
		s := w.Poll(ctx)
		if p := s.Snapshot.Problems; len(p) != 1 || p[0].Stage != model.StageOffsets || p[0].Cause != "too_large" {
			t.Errorf("the answer with the positions is too large: %+v", p)
		}
		stayed(t, before, s, "reader")
		if f, _ := s.Pair("reader", "orders"); f.PositionAt != at(before, "reader").PositionAt {
			t.Errorf("a position that was not read is said to be of %v", f.PositionAt)
		}
		if end, fresh := s.Partition("orders").End.FreshSince(s.Snapshot.Started); !fresh || end != 11 {
			t.Errorf("the end is %v (read: %t), an answer of its own", end, fresh)
		}
	}
	_, err = c.Admin().DeleteGroups(ctx, names...)
	c.Must(err)
	c.Must(c.Commit(ctx, "reader", "orders", 0, 6))
	s := w.Poll(ctx)
	if f := at(s, "reader"); len(s.Snapshot.Problems) > 0 || f.Position != model.Known(model.Offset(6)) {
		t.Errorf("the answers are small again; position %v, problems %+v", f.Position, s.Snapshot.Problems)
	}
}

// clockJumps puts our clock ahead for three polls and back. A broker never sees it, so the truth stands still.
func clockJumps(ctx context.Context, t *testing.T, c *kafkatest.Cluster) {
	w := watch.New(t, c.Addresses(), time.Second)
	w.Poll(ctx)
	c.Must(c.DeleteRecords(ctx, "orders", 0, 4))
	before := w.Poll(ctx)
	if f := at(before, "slow"); f.LostOffsets != 2 {
		t.Fatalf("records 2 and 3 were deleted unread, and %d are counted", f.LostOffsets)
	}
	for _, ahead := range []time.Duration{24 * time.Hour, 0} {
		w.PutClock(ahead)
		for range 3 {
			s := w.Poll(ctx)
			if len(s.Snapshot.Problems) > 0 {
				t.Errorf("%v ahead: problems %+v", ahead, s.Snapshot.Problems)
			}
			stayed(t, before, s, "reader")
			stayed(t, before, s, "slow")
		}
	}
	c.Must(c.DeleteRecords(ctx, "orders", 0, 8))
	s := w.Poll(ctx)
	if slow, reader := at(s, "slow").LostOffsets, at(s, "reader").LostOffsets; slow != 6 || reader != 2 {
		t.Errorf("after the clock is right 6 and 2 records are lost in all, and %d and %d are counted", slow, reader)
	}
}

// at is what a sight says of a group.
func at(s watch.Sight, group string) predictor.Forecast {
	f, _ := s.Pair(group, "orders")
	return f
}

// stayed checks that what a group was told stands: where it is, when its data goes at the earliest, what it has lost.
func stayed(t *testing.T, before, now watch.Sight, group string) {
	t.Helper()
	was, is := at(before, group), at(now, group)
	if is.Position != was.Position || is.Floor != was.Floor || is.LostOffsets != was.LostOffsets {
		t.Errorf("%s was at %v with floor %v and %d lost; now at %v with %v and %d", group,
			was.Position, was.Floor, was.LostOffsets, is.Position, is.Floor, is.LostOffsets)
	}
	if !slices.ContainsFunc(now.Report.Pairs, func(f predictor.Forecast) bool { return f.Key.Group == group }) {
		t.Errorf("nothing is said of %s", group)
	}
}
