package page

import (
	"context"
	"log/slog"
	"math"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// The time between two polls, which takes none here, and that between two passes of the brokers.
const (
	pollEvery  = model.Millis(30_000)
	checkEvery = model.Millis(300_000)
	hour       = model.Millis(3_600_000)
	day        = 24 * hour
)

// begin is when the watch starts; all records before have been there for long.
const begin = model.Instant(1_760_000_000_000)

// topic is a topic whose partitions are written to evenly.
type topic struct {
	partitions int32
	perSecond  float64 // records into each partition
	recordSize float64
	settings   model.Settings
}

// reader is a group on one topic.
type reader struct {
	topic string
	// behind is how late it was when the watch began, and pace how many records it reads for each
	// that arrives.
	behind model.Millis
	pace   float64
	state  string
	only   model.Maybe[int32] // this partition, or all
	// spread makes it later by so much with each partition.
	spread model.Millis
}

// cluster is a source whose clock moves on by one poll interval with every poll.
type cluster struct {
	topics map[string]topic
	groups map[string][]reader

	mu   sync.Mutex
	now  model.Instant
	left int // polls before stop is called
	stop func()
}

// The records of a partition are numbered from this instant on, so that offsets are large.
const origin = begin - model.Instant(10*day)

func (t topic) at(stamp model.Instant) model.Offset {
	return model.Offset(math.Ceil(float64(stamp.Sub(origin)) / 1000 * t.perSecond))
}

func (t topic) stamp(o model.Offset) model.Instant {
	return origin.Add(model.Millis(float64(o) / t.perSecond * 1000))
}

// start is the base of the oldest segment that the passes so far have left.
func (t topic) start(now model.Instant) model.Offset {
	pass := now - now%model.Instant(checkEvery)
	span := t.settings.SegmentMs
	age, timed := t.settings.TimeLimit()
	segments := model.Millis(0)
	if timed {
		segments = pass.Add(-age-1).Sub(origin) / span
	}
	if limit, sized := t.settings.SizeLimit(); sized {
		perSegment := float64(span) / 1000 * t.perSecond * t.recordSize
		behind := float64(pass.Sub(origin))/1000*t.perSecond*t.recordSize - float64(limit)
		segments = max(segments, model.Millis(behind/perSegment))
	}
	return t.at(origin.Add(segments * span))
}

// Poll tells what an exporter sees of the cluster at the next poll's time.
func (c *cluster) Poll(context.Context, func() model.Instant) *model.Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		c.stop() // what follows is not published
		return &model.Snapshot{Started: c.now, At: c.now}
	}
	c.left--
	c.now = c.now.Add(pollEvery)
	s := &model.Snapshot{
		Started: c.now, At: c.now, Reached: true, ClusterID: "Dv0Wq3mTQ1KpYh7rXs2LbA", GroupsSeen: len(c.groups),
		Brokers: map[model.BrokerID]model.Broker{1: {ID: 1, Up: true, LastAnswer: model.ReadAt(struct{}{}, c.now),
			Settings: model.ReadAt(model.BrokerSettings{CheckInterval: checkEvery}, c.now)}},
		Topics: map[string]model.Topic{}, Partitions: map[model.PartitionKey]model.Partition{}, Groups: map[string]model.Group{},
	}
	for name, t := range c.topics {
		c.tell(s, name, t)
	}
	for name, readers := range c.groups {
		s.Groups[name] = c.group(name, readers)
	}
	return s
}

func (c *cluster) tell(s *model.Snapshot, name string, t topic) {
	s.Topics[name] = model.Topic{
		Name: name, ID: model.TopicID{1}, Partitions: t.partitions,
		Settings: map[model.BrokerID]model.Read[model.Settings]{1: model.ReadAt(t.settings, c.now)},
	}
	start, end := t.start(c.now), t.at(c.now)
	size := model.SizeRead{Bytes: model.Bytes(float64(end-start) * t.recordSize), EndBefore: end, EndAfter: end, LogStart: start, Still: true}
	for i := range t.partitions {
		key := model.PartitionKey{Topic: name, Partition: i}
		s.Partitions[key] = model.Partition{
			Key: key, TopicID: model.TopicID{1}, Leader: 1, LeaderKnown: true, Replicas: []model.BrokerID{1}, ISR: []model.BrokerID{1},
			LogStart: model.ReadAt(start, c.now), End: model.ReadAt(end, c.now), Size: model.ReadAt(size, c.now),
			Oldest: model.ReadAt(model.Stamped{Offset: start, Stamp: t.stamp(start), Found: true}, c.now),
		}
	}
}

func (c *cluster) group(name string, readers []reader) model.Group {
	g := model.Group{
		Name: name, Kind: model.KindConsumer, State: "Stable", ProtocolType: "consumer",
		Offsets: map[model.PartitionKey]model.Read[model.Commit]{}, OffsetsRead: model.ReadAt(struct{}{}, c.now),
	}
	for _, r := range readers {
		g.State = r.state
		t := c.topics[r.topic]
		for i := range t.partitions {
			if only, one := r.only.Get(); one && only != i {
				continue
			}
			late := r.behind + model.Millis(i)*r.spread
			read := begin.Add(-late).Add(model.Millis(r.pace * float64(c.now.Sub(begin))))
			key := model.PartitionKey{Topic: r.topic, Partition: i}
			g.Offsets[key] = model.ReadAt(model.Commit{Offset: min(t.at(read), t.at(c.now))}, c.now)
		}
	}
	return g
}

// Attend changes nothing: every poll tells everything.
func (c *cluster) Attend(model.Attention) {}

// RecordTimes answers from the even pace of the producers.
func (c *cluster) RecordTimes(_ context.Context, _ func() model.Instant, questions []model.TimeQuestion) (out []model.TimeAnswer, _ []model.Problem) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range questions {
		t := c.topics[q.Key.Topic]
		a := model.TimeAnswer{TimeQuestion: q, Asked: c.now}
		if o := max(t.at(q.At), t.start(c.now)); o < t.at(c.now) {
			a.Stamped = model.Stamped{Offset: o, Stamp: t.stamp(o), Found: true}
		}
		out = append(out, a)
	}
	return out, nil
}

// Requests tells nothing: nothing is sent.
func (c *cluster) Requests() map[string]int64 { return nil }

func (c *cluster) clock() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.UnixMilli(int64(c.now))
}

// served is an exporter of a cluster on a port of its own.
type served struct {
	t       *testing.T
	cluster *cluster
	runtime *exporter.Runtime
	server  *httptest.Server
	url     string
}

func serve(t *testing.T, c *cluster, polls int) *served {
	t.Helper()
	c.now = begin
	forecasts := predictor.New(predictor.Config{Poll: pollEvery, ClockTolerance: 1000})
	cfg := exporter.Config{PollInterval: 100 * time.Millisecond, SizesEvery: time.Minute}
	r, err := exporter.New(cfg, c, forecasts, c.clock, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	h, err := r.Handler("/metrics")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	s := &served{t: t, cluster: c, runtime: r, server: server, url: server.URL}
	s.poll(polls)
	return s
}

// poll runs the loop for so many polls; then time stands still, and the page stays as it is.
func (s *served) poll(polls int) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	s.cluster.mu.Lock()
	s.cluster.left, s.cluster.stop = polls, cancel
	s.cluster.mu.Unlock()
	s.runtime.Run(ctx)
}
