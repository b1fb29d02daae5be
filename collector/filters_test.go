package collector_test

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

func TestFiltersActBeforeAsking(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.topic("orders-retry", nil, 0)
	f.topic("secret", nil, 0)
	f.commit("billing", "orders", 0, 0)
	f.commit("billing", "secret", 0, 0)
	f.commit("other", "orders", 0, 0)
	config := f.config()
	config.TopicInclude, config.TopicExclude = pattern("^orders"), pattern("retry$")
	config.GroupInclude = pattern("^billing$")
	c := newCollector(t, config)

	var s *model.Snapshot
	requests := f.watch(func() { s = pollWhole(t, c, clock()) })

	if len(s.Topics) != 1 || len(s.Partitions) != 1 || len(s.Groups) != 1 || s.GroupsSeen != 2 {
		t.Errorf("topics %d, partitions %d, groups %d of %d seen", len(s.Topics), len(s.Partitions), len(s.Groups), s.GroupsSeen)
	}
	if offsets := s.Groups["billing"].Offsets; len(offsets) != 1 {
		t.Errorf("offsets: %v", offsets)
	}
	about := map[string]map[string]bool{}
	for _, r := range requests {
		for _, name := range asksAbout(r.body) {
			if about[name] == nil {
				about[name] = map[string]bool{}
			}
			about[name][kmsg.NameForKey(int16(r.key))] = true
		}
	}
	for _, name := range []string{"orders-retry", "secret", "other"} {
		if len(about[name]) > 0 {
			t.Errorf("%s is left out, and asked about with %v", name, about[name])
		}
	}
	for _, name := range []string{"ListOffsets", "DescribeConfigs"} {
		if !about["orders"][name] {
			t.Errorf("%s was not asked about what is watched", name)
		}
	}
	if !about["billing"]["OffsetFetch"] {
		t.Error("OffsetFetch was not asked about what is watched")
	}
}

// asksAbout are the topics and groups that a request names.
func asksAbout(r kmsg.Request) (names []string) {
	switch q := r.(type) {
	case *kmsg.ListOffsetsRequest:
		for _, t := range q.Topics {
			names = append(names, t.Topic)
		}
	case *kmsg.DescribeConfigsRequest:
		for _, one := range q.Resources {
			names = append(names, one.ResourceName)
		}
	case *kmsg.DescribeLogDirsRequest:
		for _, t := range q.Topics {
			names = append(names, t.Topic)
		}
	case *kmsg.OffsetFetchRequest:
		for _, g := range q.Groups {
			names = append(names, g.Group)
		}
	}
	return names
}
