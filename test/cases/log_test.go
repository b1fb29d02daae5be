package cases_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

// logCases are those of DeleteRecords, of positions at the log start, and of settings.
func logCases(t *testing.T, c *kafkatest.Cluster) {
	for policy, want := range map[string]error{"compact": kerr.PolicyViolation, "compact,delete": nil, "": nil, "delete": nil} {
		t.Run("case 47: DeleteRecords under cleanup.policy "+policy, func(t *testing.T) {
			parallel(t, c, func(t *testing.T, c *kafkatest.Cluster) { deleteUnder(t, c, policy, want) })
		})
	}
	t.Run("case 52: a position at the log start is safe, one below it is not", func(t *testing.T) { parallel(t, c, atTheStart) })
	t.Run("case 53: a position at the log end survives the deletion of everything", func(t *testing.T) { parallel(t, c, atTheEnd) })
	t.Run("case 55: hours in the broker's file look like a built-in default", func(t *testing.T) { parallel(t, c, hoursOfTheFile) })
	t.Run("case 56: a topic may have retention.ms=0", func(t *testing.T) { parallel(t, c, zeroOnATopic) })
}

func deleteUnder(t *testing.T, c *kafkatest.Cluster, policy string, want error) {
	ctx := c.Context(time.Minute)
	topic := map[string]string{"compact": "compacted", "compact,delete": "both", "": "neither", "delete": "deleted"}[policy]
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic, Configs: map[string]string{"cleanup.policy": policy}}))
	fill(ctx, c, topic, 10)
	if err := c.DeleteRecords(ctx, topic, 0, 5); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
	start, err := ask(ctx, c.Client(), 1, consumer, topic, earliest)
	c.Must(err)
	if moved := start.offset == 5; moved != (want == nil) {
		t.Errorf("log start %d", start.offset)
	}
}

// atTheStart: a gap of one offset may be a transaction marker, so of the first record below the
// start nothing is said; from the second on the group has lost.
func atTheStart(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "edge"}))
	fill(ctx, c, "edge", 20)
	c.Must(c.Commit(ctx, "edge", "edge", 0, 10))
	cl, id, w := c.Client(), topicID(ctx, c, "edge"), watch.New(t, c.Addresses(), time.Second)
	for _, step := range []struct {
		start   int64
		fetched error
		lost    int64
		reason  predictor.Reason
	}{
		{9, nil, 0, predictor.NotEnoughHistory},
		{10, nil, 0, predictor.NotEnoughHistory},
		{11, kerr.OffsetOutOfRange, 0, predictor.SingleOffsetGap},
		{12, kerr.OffsetOutOfRange, 2, 0},
	} {
		c.Must(c.DeleteRecords(ctx, "edge", 0, step.start))
		if err := fetch(ctx, cl, 1, id, 10); !errors.Is(err, step.fetched) {
			t.Errorf("log start %d: fetch at 10 is answered %v, want %v", step.start, err, step.fetched)
		}
		f := pair(ctx, t, w, "edge", "edge")
		state, _ := f.State.Get()
		reason, _ := f.Reason.Get()
		if f.LostOffsets != step.lost || (state == predictor.Lost) != (step.lost > 0) || reason != step.reason {
			t.Errorf("log start %d: %d offsets lost, state %v, reason %v", step.start, f.LostOffsets, state, reason)
		}
	}
}

// pair polls once and returns what is said of a group.
func pair(ctx context.Context, t *testing.T, w *watch.Watch, group, topic string) predictor.Forecast {
	t.Helper()
	f, ok := w.Poll(ctx).Pair(group, topic)
	if !ok {
		t.Fatalf("nothing is said of %s on %s", group, topic)
	}
	return f
}

func atTheEnd(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "whole", Configs: map[string]string{"retention.ms": "-1"}}))
	truth := c.Truth(perSecond, kafkatest.Key{Topic: "whole"})
	for range 25 {
		_, err := c.Produce(ctx, "whole", 0, 10, time.Now().Add(-8*day))
		c.Must(err)
	}
	c.Must(c.Commit(ctx, "whole", "whole", 0, 25))
	w := watch.New(t, c.Addresses(), time.Second)
	pair(ctx, t, w, "whole", "whole")
	c.Must(c.AlterTopic(ctx, "whole", map[string]string{"retention.ms": "1000"}))
	movedTo(ctx, c, truth, "whole", 25)
	if err := fetch(ctx, c.Client(), 1, topicID(ctx, c, "whole"), 25); err != nil {
		t.Errorf("fetch at the end is answered %v", err)
	}
	f := pair(ctx, t, w, "whole", "whole")
	loss, ok := f.Loss.Get()
	if state, _ := f.State.Get(); state != predictor.CaughtUp || f.LostOffsets != 0 || !ok || loss != model.Forever {
		t.Errorf("state %v, %d offsets lost, loss %v (%t)", state, f.LostOffsets, loss, ok)
	}
}

// hoursOfTheFile: the value is right and its source is not (ConfigHelper looks for a synonym of
// log.retention.ms and finds only the hours).
func hoursOfTheFile(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "hours"}))
	configs, err := c.Admin().DescribeTopicConfigs(ctx, "hours")
	c.Must(err)
	for _, one := range configs[0].Configs {
		if one.Key == "retention.ms" && (one.MaybeValue() != "172800000" || one.Source.String() != "DEFAULT_CONFIG" || len(one.Synonyms) != 0) {
			t.Errorf("retention.ms: %+v", one)
		}
	}
	set, ok := watch.New(t, c.Addresses(), time.Second).Poll(ctx).Snapshot.Topics["hours"].Settings[1].Get()
	if !ok || set.RetentionMs != 172_800_000 || set.RetentionMsSource != model.SourceDefault {
		t.Errorf("settings as read: %+v (%t)", set, ok)
	}
}

func zeroOnATopic(_ *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "zero", Configs: map[string]string{"retention.ms": "0"}}))
	truth := c.Truth(perSecond, kafkatest.Key{Topic: "zero"})
	_, err := c.Produce(ctx, "zero", 0, 10, time.Now())
	c.Must(err)
	movedTo(ctx, c, truth, "zero", 1)
}
