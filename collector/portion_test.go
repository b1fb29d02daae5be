package collector_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/collector/division"
	"kafka-retention-exporter/model"
)

const dividers = "retention-exporters"

// divided is a cluster with a topic and a group for each of six partitions of __consumer_offsets,
// each group on the topic of the partition after its own.
func divided(t *testing.T) (f *fake, config collector.Config, names []string) {
	f = newFake(t)
	f.topic(division.Topic, nil, 0, 1, 2, 0, 1, 2)
	names = make([]string, 6)
	for i := 0; slices.Contains(names, ""); i++ {
		name := fmt.Sprintf("name-%d", i)
		names[model.OffsetsPartition(name, 6)] = name
	}
	for i, name := range names {
		f.topic(name, nil, int32(i%3))
		f.produce(name, 0, 1, 2, 3)
	}
	for i, name := range names {
		f.commit(name, names[(i+1)%6], 0, 1)
	}
	config = f.steady()
	config.DivisionGroup = dividers
	config.TopicExclude = pattern("^__") // kfake does not call it internal
	return f, config, names
}

// owned are the groups of a snapshot and, of its topics, those in its portion.
func owned(s *model.Snapshot) (names []string) {
	for name := range s.Topics {
		if s.Portion.Owns(name) {
			names = append(names, "topic "+name)
		}
	}
	for name := range s.Groups {
		names = append(names, "group "+name)
	}
	return names
}

func TestCollectorsDivideACluster(t *testing.T) {
	f, config, names := divided(t)
	var all []string
	for _, name := range names {
		all = append(all, "group "+name, "topic "+name)
	}
	slices.Sort(all)

	now := clock()
	one := newCollector(t, config)
	if s := pollWhole(t, one, now); !s.Portion.Whole() || len(s.Groups) != 6 || s.GroupsSeen != 6 {
		t.Fatalf("the only one watches %d of %d groups, want 6 of 6", len(s.Groups), s.GroupsSeen)
	}
	two := newCollector(t, config)
	var a, b *model.Snapshot
	pollUntil(t, two, now, "a division without rest", func(s *model.Snapshot) bool {
		a, b = poll(t, one, now), s
		both := slices.Sorted(slices.Values(append(owned(a), owned(b)...)))
		return len(b.Groups) > 0 && slices.Equal(both, all)
	})
	if len(a.Groups) != 3 || len(b.Groups) != 3 {
		t.Errorf("%d and %d groups, want 3 and 3", len(a.Groups), len(b.Groups))
	}
	for _, s := range []*model.Snapshot{a, b} {
		if s.TopicsHidden != 0 {
			t.Errorf("%d topics of others are said to be hidden", s.TopicsHidden)
		}
		for name, g := range s.Groups {
			for key := range g.Offsets { // whoever owns the topic
				value(t, "log start under "+name, s.Partitions[key].LogStart)
				value(t, "end under "+name, s.Partitions[key].End)
			}
			if len(g.Offsets) != 1 {
				t.Errorf("%s has %d positions in the poll that took it over, want 1", name, len(g.Offsets))
			}
		}
	}
	asksOnlyItsOwn(t, f, one, now)

	two.Close()
	pollUntil(t, one, now, "the rest taken over", func(s *model.Snapshot) bool { return len(s.Groups) == 6 && len(s.Topics) == 6 })
}

// asksOnlyItsOwn looks at the requests of one poll.
func asksOnlyItsOwn(t *testing.T, f *fake, c *collector.Collector, now func() model.Instant) {
	t.Helper()
	var s *model.Snapshot
	seen := f.watch(func() { s = poll(t, c, now) })
	groups, topics := map[string]bool{}, map[string]bool{}
	for _, r := range seen {
		switch body := r.body.(type) {
		case *kmsg.OffsetFetchRequest:
			for _, g := range body.Groups {
				groups[g.Group] = true
			}
		case *kmsg.ListOffsetsRequest:
			for _, topic := range body.Topics {
				topics[topic.Topic] = true
			}
		}
	}
	delete(groups, dividers) // which is how a member reads what it was assigned
	delete(topics, division.Topic)
	if !maps.Equal(groups, set(maps.Keys(s.Groups))) {
		t.Errorf("asked for the positions of %v, watched are %v", groups, slices.Collect(maps.Keys(s.Groups)))
	}
	if !maps.Equal(topics, set(maps.Keys(s.Topics))) || len(topics) == 6 {
		t.Errorf("asked for the offsets of %v, needed are %v", topics, slices.Collect(maps.Keys(s.Topics)))
	}
}

func set(names func(func(string) bool)) map[string]bool {
	out := map[string]bool{}
	for name := range names {
		out[name] = true
	}
	return out
}

// TestANewTopicOfAGroupIsFollowed has a group begin on a topic that its exporter did not need.
func TestANewTopicOfAGroupIsFollowed(t *testing.T) {
	f, config, names := divided(t)
	now := clock()
	one, two := newCollector(t, config), newCollector(t, config)
	pollUntil(t, one, now, "a division", func(s *model.Snapshot) bool { return len(s.Groups) == 3 && len(poll(t, two, now).Groups) == 3 })
	s := poll(t, one, now)
	group := slices.Sorted(maps.Keys(s.Groups))[0]
	for _, topic := range names {
		if _, needed := s.Topics[topic]; !needed {
			f.commit(group, topic, 0, 2)
			pollUntil(t, one, now, "the position on the new topic", func(s *model.Snapshot) bool {
				_, read := s.Groups[group].Offsets[key(topic, 0)].Get()
				_, known := s.Partitions[key(topic, 0)].End.Get()
				return read && known
			})
			return
		}
	}
	t.Fatal("every topic is needed already")
}

// TestWithoutReadOnTheGroup is how brokers answer a user without that right.
func TestWithoutReadOnTheGroup(t *testing.T) {
	f, config, _ := divided(t)
	f.ControlKey(kmsg.JoinGroup.Int16(), func(r kmsg.Request) (kmsg.Response, error, bool) {
		f.KeepControl()
		answer := r.ResponseKind().(*kmsg.JoinGroupResponse)
		answer.ErrorCode = kerr.GroupAuthorizationFailed.Code
		return answer, nil, true
	})
	config.BrokerDeadline = collector.Default().BrokerDeadline
	c := newCollector(t, config)
	s := pollUntil(t, c, clock(), "the refusal", func(s *model.Snapshot) bool { return len(s.Problems) > 0 })
	if p := problem(t, s, model.StageGroups, kerr.GroupAuthorizationFailed.Message); p.Group != dividers {
		t.Errorf("the problem is about group %q, want %q", p.Group, dividers)
	}
	if len(s.Groups) > 0 || len(s.Topics) > 0 {
		t.Errorf("%d groups and %d topics are watched without a part of the work", len(s.Groups), len(s.Topics))
	}
}

// TestWithoutTheOffsetsTopic is a cluster whose first group has still to come, or hides the topic.
func TestWithoutTheOffsetsTopic(t *testing.T) {
	f := newFake(t)
	config := f.steady()
	config.DivisionGroup, config.BrokerDeadline = dividers, collector.Default().BrokerDeadline
	s := poll(t, newCollector(t, config), clock())
	problem(t, s, model.StageGroups, "undivided")
}

// TestCommitTimesOfAPortion: each reads the partitions of the offsets topic that are its own, no others,
// and those it takes over from their start.
func TestCommitTimesOfAPortion(t *testing.T) {
	f, config, names := divided(t)
	for i, name := range names {
		k := kmsg.OffsetCommitKey{Version: 1, Group: name, Topic: names[(i+1)%6]}
		v := kmsg.OffsetCommitValue{Version: 3, Offset: 1, CommitTimestamp: int64(100 + i)}
		f.write(f.client, &kgo.Record{Topic: model.OffsetsTopic, Partition: int32(i), Key: k.AppendTo(nil), Value: v.AppendTo(nil)})
	}
	config.OffsetsTopic = true
	told := func(s *model.Snapshot) (n int) {
		for i, name := range names {
			c, ok := s.Groups[name].Offsets[key(names[(i+1)%6], 0)].Get()
			if at, known := c.At.Get(); ok && known && at == model.Instant(100+i) {
				n++
			}
		}
		return n
	}
	now := clock()
	one, two := newCollector(t, config), newCollector(t, config)
	pollUntil(t, one, now, "a division", func(s *model.Snapshot) bool { return told(s) == 3 && told(poll(t, two, now)) == 3 })
	read := map[int32]bool{}
	var s *model.Snapshot
	for _, r := range f.watch(func() { s = poll(t, one, now) }) {
		if body, ok := r.body.(*kmsg.FetchRequest); ok {
			for _, p := range body.Topics[0].Partitions {
				read[p.Partition] = true
			}
		}
	}
	for i, name := range names {
		if read[int32(i)] != s.Portion.Owns(name) {
			t.Errorf("partition %d: read %v, owned %v", i, read[int32(i)], s.Portion.Owns(name))
		}
	}
	two.Close()
	pollUntil(t, one, now, "the rest taken over", func(s *model.Snapshot) bool { return told(s) == 6 })
}
