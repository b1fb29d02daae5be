package commits

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

// TestOffsetsExpireWhenSaid lets the offsets of a classic, a consumer and a simple group expire:
// never before it was said, soon after, and not in silence.
func TestOffsetsExpireWhenSaid(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{Properties: map[string]string{
		"offsets.retention.minutes": "1", "offsets.retention.check.interval.ms": "1000",
	}})
	ctx := c.Context(4 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "kept"}))
	_, err := c.Produce(ctx, "kept", 0, 10, make([]time.Time, 100)...)
	c.Must(err)
	classic := join(ctx, t, c, "classic")
	consumer := join(ctx, t, c, "consumer", kgo.ServerSideBalancer())

	e := &expiries{t: t, w: watch.New(t, c.Addresses(), time.Second), said: map[string]model.Instant{}, went: map[string]model.Instant{}}
	commit := func(offset int64) {
		for group, client := range map[string]*kgo.Client{"classic": classic, "consumer": consumer} {
			c.Must(commitAs(ctx, client, offset))
			t.Logf("%s committed %d at %v", group, offset, watch.Now())
		}
		c.Must(c.Commit(ctx, "simple", "kept", 0, offset))
		e.poll(ctx, 2*time.Second)
	}
	commit(10)
	commit(20)
	for _, group := range []string{"classic", "consumer"} { // simple groups have no members to wait for
		if at, ok := e.last.Report.Groups[group].OffsetsExpire.Get(); !ok || at != model.Forever {
			t.Errorf("offsets of %s are said to expire at %v (known %v) while a member subscribes", group, at, ok)
		}
	}
	e.poll(ctx, 8*time.Second)
	classic.Close()
	consumer.Close()
	for len(e.went) < 3 && ctx.Err() == nil {
		e.poll(ctx, time.Second)
	}
	e.poll(ctx, 3*time.Second)
	e.judge("classic", "consumer", "simple")
}

// expiries follows what is said of each group until its offsets are gone.
type expiries struct {
	t    *testing.T
	w    *watch.Watch
	last watch.Sight
	said map[string]model.Instant // the last finite instant that was said
	went map[string]model.Instant // end of the first poll that saw no offset
}

// poll looks every half second for some time.
func (e *expiries) poll(ctx context.Context, length time.Duration) {
	for end := time.Now().Add(length); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(500 * time.Millisecond) {
		e.last = e.w.Poll(ctx)
		for _, group := range []string{"classic", "consumer", "simple"} {
			if at, ok := e.last.Report.Groups[group].OffsetsExpire.Get(); ok && at != model.Forever {
				e.said[group] = at
			}
			if _, seen := e.went[group]; !seen && e.reason(group) == predictor.ExpiredPosition {
				e.went[group] = e.last.Snapshot.At
			}
		}
	}
}

func (e *expiries) reason(group string) predictor.Reason {
	f, ok := e.last.Pair(group, "kept")
	if !ok {
		return 0
	}
	reason, _ := f.Reason.Get()
	return reason
}

// judge allows for what lies between: the poll that bounds the clock, the sweep each second, and
// the two polls that it takes to believe that a group is gone.
func (e *expiries) judge(groups ...string) {
	const slack = model.Millis(15_000)
	for _, group := range groups {
		said, ok := e.said[group]
		went, gone := e.went[group]
		e.t.Logf("%s: said %v, gone %v", group, said, went)
		switch {
		case !ok || !gone:
			e.t.Errorf("%s: expiry said %v, seen %v", group, ok, gone)
		case went < said:
			e.t.Errorf("offsets of %s were gone %d ms before they could be", group, said.Sub(went))
		case went.Sub(said) > slack:
			e.t.Errorf("offsets of %s were gone only %d ms after they might be", group, went.Sub(said))
		case e.reason(group) != predictor.ExpiredPosition:
			e.t.Errorf("%s is said to be %v once its offsets are gone", group, e.reason(group))
		}
	}
}
