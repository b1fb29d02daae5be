package sidecar

import (
	"context"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

const (
	check  = time.Second
	poll   = time.Second
	length = 50 * time.Second       // of the watch, and the retention of all topics
	record = 200                    // bytes of a value
	gap    = 250 * time.Millisecond // between records that come while the test runs
)

// scenario is a topic with groups that stand still at some offsets.
type scenario struct {
	name    string
	configs map[string]string
	// stamps are those of the records that are there at the start, by their age.
	stamps func() []time.Duration
	// steady adds records while the test runs, so that what size takes is known ahead.
	steady bool
	sized  bool
}

func scenarios() []scenario {
	random := rand.New(rand.NewSource(5))
	every := func(gap time.Duration) (ages []time.Duration) {
		for age := length - 4*time.Second; age > 0; age -= gap {
			ages = append(ages, age)
		}
		return ages
	}
	ordered := func() []time.Duration { return every(time.Second) }
	steady := func() []time.Duration { return every(gap) }
	disordered := func() []time.Duration {
		ages := ordered()
		for i := range ages {
			ages[i] += time.Duration(random.Intn(8000)-4000) * time.Millisecond
		}
		return ages
	}
	// One record in an early segment is 25 s newer than those around it, and holds back what is behind.
	blocked := func() []time.Duration {
		ages := ordered()
		ages[14] -= 25 * time.Second
		return ages
	}
	byTime := map[string]string{"retention.ms": fmt.Sprint(length.Milliseconds())}
	bySize := map[string]string{"retention.ms": "-1", "retention.bytes": "60000"}
	appended := map[string]string{"retention.ms": "25000", "message.timestamp.type": "LogAppendTime"} // stamped as they come
	both := map[string]string{"retention.ms": byTime["retention.ms"], "retention.bytes": "60000"}
	return []scenario{
		{name: "time", configs: byTime, stamps: ordered},
		{name: "time.steady", configs: byTime, stamps: ordered, steady: true},
		{name: "time.disorder", configs: byTime, stamps: disordered},
		{name: "time.blocked", configs: byTime, stamps: blocked},
		{name: "time.appended", configs: appended, stamps: ordered, steady: true},
		{name: "size", configs: bySize, stamps: steady, steady: true, sized: true},
		{name: "both", configs: both, stamps: steady, steady: true, sized: true},
	}
}

// TestForecastsFromFiles plays all scenarios at once under two watches, and holds every forecast of a
// position in a closed segment against the instant the log start passed it.
func TestForecastsFromFiles(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{})
	ctx := c.Context(3 * time.Minute)
	all := scenarios()
	var keys []kafkatest.Key
	for _, s := range all {
		s.prepare(ctx, c)
		keys = append(keys, kafkatest.Key{Topic: s.name})
	}
	truth := c.Truth(100*time.Millisecond, keys...)
	ctx, stop := context.WithTimeout(ctx, length)
	defer stop()
	for _, s := range all {
		if s.steady {
			go s.produce(ctx, c.For(t))
		}
	}
	remote := watch.New(t, c.Addresses(), poll)
	beside := watch.New(t, c.Addresses(), poll, c.Broker(1).LogDir())
	said := map[string][]saying{}
	for tick := time.NewTicker(poll); ctx.Err() == nil; <-tick.C {
		near, far := beside.Poll(ctx), remote.Poll(ctx)
		if ctx.Err() != nil {
			break
		}
		for _, p := range near.Snapshot.Problems {
			t.Errorf("problem: %+v", p)
		}
		noneDiffers(t, near)
		said["with"] = append(said["with"], sayings(near, near)...)
		said["without"] = append(said["without"], sayings(far, near)...)
	}
	truth.Stop()
	t.Log("errors of the deadline and widths of the band, medians over all forecasts of closed segments")
	for _, s := range all {
		with, without := s.judge(t, truth, said["with"], true), s.judge(t, truth, said["without"], false)
		if !s.sized && with.width > without.width {
			t.Errorf("%s: the band is wider with files: %d ms, without %d ms", s.name, with.width, without.width)
		}
		t.Logf("%-14s with --log.dirs: %v; without: %v", s.name, with, without)
	}
}

// prepare makes the topic with its first records, ten to a segment, and groups in some of them.
func (s scenario) prepare(ctx context.Context, c *kafkatest.Cluster) {
	configs := map[string]string{"internal.segment.bytes": "2600", "file.delete.delay.ms": "500"}
	maps.Copy(configs, s.configs)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: s.name, Configs: configs}))
	now, ages := time.Now(), s.stamps()
	for _, age := range ages {
		_, err := c.Produce(ctx, s.name, 0, record, now.Add(-age))
		c.Must(err)
	}
	for at := int64(3); at < int64(len(ages)); at += int64(len(ages)) / 8 {
		c.Must(c.Commit(ctx, fmt.Sprintf("%s.%d", s.name, at), s.name, 0, at))
	}
}

func (s scenario) produce(ctx context.Context, c *kafkatest.Cluster) {
	for tick := time.NewTicker(gap); ctx.Err() == nil; <-tick.C {
		if _, err := c.Produce(ctx, s.name, 0, record, time.Now()); err != nil && ctx.Err() == nil {
			return // the test's own context tells
		}
	}
}

// saying is what was said of one position in a closed segment.
type saying struct {
	topic            string
	position         int64
	at               model.Instant
	stopped          model.Instant
	earliest, latest model.Instant
	floor            model.Instant
}

// sayings are those of one watch; which segments are closed is in the files that the other read.
func sayings(s, files watch.Sight) (out []saying) {
	local, _ := files.Snapshot.Local.Get()
	for _, f := range s.Report.Pairs {
		r := local.Replicas[f.Key.PartitionKey]
		position, ok := f.Position.Get()
		if !ok || r == nil || len(r.Segments) == 0 || position < r.Segments[0].Base || position >= r.Segments[len(r.Segments)-1].Base {
			continue
		}
		one := saying{topic: f.Key.Topic, position: int64(position), at: s.Report.At}
		var told [4]bool
		one.stopped, told[0] = f.Stopped.Get()
		one.earliest, told[1] = f.Earliest.Get()
		one.latest, told[2] = f.Latest.Get()
		one.floor, told[3] = f.Floor.Get()
		if told[0] && told[3] {
			if !told[1] || !told[2] { // no loss yet while the pace is not known: no band either
				one.earliest, one.latest = one.stopped, one.stopped
			}
			out = append(out, one)
		}
	}
	return out
}

// figures are medians in milliseconds.
type figures struct {
	forecasts  int
	off, width model.Millis
	worst      model.Millis
}

func (f figures) String() string {
	return fmt.Sprintf("off by %d ms (worst %d), band %d ms, %d forecasts", f.off, f.worst, f.width, f.forecasts)
}

// judge compares; with files the bounds of the contract are asserted.
func (s scenario) judge(t *testing.T, truth *kafkatest.Truth, said []saying, exact bool) (out figures) {
	var off, width []model.Millis
	samples := truth.Samples(kafkatest.Key{Topic: s.name})
	for _, one := range said {
		after, before, ok := passed(samples, one.position)
		if one.topic != s.name || !ok || one.at >= after {
			continue
		}
		// The truth lies between two samples.
		wrong := max(0, after.Sub(one.stopped), one.stopped.Sub(before))
		off, width = append(off, wrong), append(width, one.latest.Sub(one.earliest))
		allowed := model.MillisOf(check + poll)
		if s.sized {
			allowed += after.Sub(one.at) * 3 / 100
		}
		if exact && wrong > allowed {
			t.Errorf("%s: at %d, %d ms ahead, %d ms off, allowed %d", s.name, one.position, after.Sub(one.at), wrong, allowed)
		}
		if one.floor > before {
			t.Errorf("%s: the floor of %d is %d ms late", s.name, one.position, one.floor.Sub(before))
		}
	}
	if exact && len(off) < 20 {
		t.Errorf("%s: only %d forecasts came true", s.name, len(off))
	}
	if len(off) == 0 {
		return out
	}
	slices.Sort(off)
	slices.Sort(width)
	return figures{forecasts: len(off), off: off[len(off)/2], worst: off[len(off)-1], width: width[len(width)/2]}
}

// passed is between which two samples the log start passed an offset.
func passed(samples []kafkatest.Sample, offset int64) (after, before model.Instant, ok bool) {
	for i, s := range samples {
		if s.Start > offset {
			if i == 0 {
				return 0, 0, false
			}
			return model.InstantOf(samples[i-1].Sent), model.InstantOf(s.Got), true
		}
	}
	return 0, 0, false
}
