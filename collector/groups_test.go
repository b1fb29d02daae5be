package collector_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/model"
)

// member joins a group and waits until it is assigned something.
func (f *fake) member(group, topic string, options ...kgo.Opt) {
	f.t.Helper()
	assigned := make(chan struct{}, 1)
	options = append(options, kgo.SeedBrokers(f.ListenAddrs()...), kgo.ConsumerGroup(group), kgo.ConsumeTopics(topic), kgo.DisableAutoCommit(),
		kgo.DisableClientMetrics(), kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client, got map[string][]int32) {
			if len(got) > 0 {
				select {
				case assigned <- struct{}{}:
				default:
				}
			}
		}))
	client, err := kgo.NewClient(options...)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(client.CloseAllowingRebalance)
	select {
	case <-assigned:
	case <-time.After(30 * time.Second):
		f.t.Fatal("the member was not assigned anything")
	}
}

// pollUntil polls until a condition holds.
func pollUntil(t *testing.T, c *collector.Collector, now func() model.Instant, what string, holds func(*model.Snapshot) bool) *model.Snapshot {
	t.Helper()
	for range 300 {
		if s := poll(t, c, now); holds(s) {
			return s
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s did not come to pass", what)
	return nil
}

func TestMembersTellWhatAGroupAnswersFor(t *testing.T) {
	for name, test := range map[string]struct {
		kind    model.GroupKind
		options []kgo.Opt
	}{
		"classic":  {model.KindClassic, nil},
		"consumer": {model.KindConsumer, []kgo.Opt{kgo.ServerSideBalancer()}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.topic("orders", nil, 0, 1)
			f.member("billing", "orders", test.options...)
			c := newCollector(t, f.config())
			s := pollUntil(t, c, clock(), "a stable group", func(s *model.Snapshot) bool {
				return s.Groups["billing"].State == "Stable" && len(s.Groups["billing"].Assigned) > 0
			})
			g := s.Groups["billing"]
			if g.Kind != test.kind || !g.HasMembers() {
				t.Errorf("group: %+v", g)
			}
			if want := map[model.PartitionKey]bool{key("orders", 0): true, key("orders", 1): true}; !maps.Equal(g.Assigned, want) {
				t.Errorf("assigned: %v", g.Assigned)
			}
			if want := map[string]bool{"orders": true}; !maps.Equal(g.Subscribed, want) {
				t.Errorf("subscribed: %v", g.Subscribed)
			}
		})
	}
}

func TestStableGroupsAreDescribedSeldom(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.member("billing", "orders")
	c := newCollector(t, f.steady())
	now := clock()
	pollUntil(t, c, now, "a description", func(s *model.Snapshot) bool { return s.Groups["billing"].Assigned != nil })
	before := c.Requests()["DescribeGroups"]
	s := pollWhole(t, c, now)
	if after := c.Requests()["DescribeGroups"]; after != before || s.Groups["billing"].Assigned == nil {
		t.Errorf("described %d times more, assignment %v", after-before, s.Groups["billing"].Assigned)
	}
}

func TestHiddenMembersAreAProblemOfEveryPollAndAskedForSeldom(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.member("billing", "orders")
	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.DescribeGroups}, Err: kerr.GroupAuthorizationFailed, Count: -1})
	c := newCollector(t, f.steady())
	now := clock()
	hidden := func(s *model.Snapshot) bool {
		return slices.ContainsFunc(s.Problems, func(p model.Problem) bool { return p.Stage == model.StageGroups && p.Group == "billing" })
	}
	pollUntil(t, c, now, "a refusal", hidden)
	before := c.Requests()["DescribeGroups"]
	s := poll(t, c, now)
	if after := c.Requests()["DescribeGroups"]; after != before || !hidden(s) {
		t.Errorf("asked %d times more, problems %+v", after-before, s.Problems)
	}
}

func TestLoadingCoordinatorHidesNoGroup(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.commit("billing", "orders", 0, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListGroups}, TopLevel: true, Err: kerr.CoordinatorLoadInProgress, Count: -1})
	for range 3 {
		s := poll(t, c, now)
		carried(t, "commit", s, s.Groups["billing"].Offsets[key("orders", 0)])
		problem(t, s, model.StageGroups, "COORDINATOR_LOAD_IN_PROGRESS")
	}
}

func TestOldBrokersAreAskedWhatTheyKnow(t *testing.T) {
	for version, test := range map[string]struct {
		perGroup bool
		ids      bool
	}{
		"2.7": {perGroup: true},
		"2.8": {perGroup: true, ids: true},
		"3.3": {ids: true},
		"3.9": {ids: true},
		"4.2": {ids: true},
	} {
		t.Run(version, func(t *testing.T) {
			f := newFake(t, kfake.NumBrokers(1), kfake.MaxVersions(kversion.FromString(version)))
			f.topic("orders", map[string]string{"retention.ms": "60000"}, 0)
			f.produce("orders", 0, 500, 600)
			groups := []string{"a", "b", "c", "d"}
			for i, group := range groups {
				f.commit(group, "orders", 0, int64(i%3))
			}
			c := newCollector(t, f.config())
			now := clock()
			var s *model.Snapshot
			requests := f.watch(func() { s = pollWhole(t, c, now) })

			want(t, "end", s.Partitions[key("orders", 0)].End, 2)
			want(t, "oldest", s.Partitions[key("orders", 0)].Oldest, model.Stamped{Offset: 0, Stamp: 500, Found: true})
			for i, group := range groups {
				commit := value(t, "commit", s.Groups[group].Offsets[key("orders", 0)])
				if commit.Offset != model.Offset(i%3) {
					t.Errorf("commit of %s: %+v", group, commit)
				}
			}
			if has := s.Topics["orders"].ID != (model.TopicID{}); has != test.ids {
				t.Errorf("topic id: %v", s.Topics["orders"].ID)
			}
			asked := slices.DeleteFunc(requests, func(r request) bool { return r.key != kmsg.OffsetFetch })
			if expected := map[bool]int{true: len(groups), false: 1}[test.perGroup]; len(asked) != expected {
				t.Errorf("%d requests for commits, want %d", len(asked), expected)
			}
		})
	}
}

func TestDeletedGroupIsGoneWithinTwoPolls(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.commit("billing", "orders", 0, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	if _, err := f.admin.DeleteGroups(t.Context(), "billing"); err != nil {
		t.Fatal(err)
	}
	s := poll(t, c, now)
	if len(s.Groups) != 1 {
		t.Error("a group is gone after one list without it, which a coordinator that loads gives too")
	}
	problem(t, s, model.StageGroups, "empty_answer")
	if s = pollWhole(t, c, now); len(s.Groups) != 0 || s.GroupsSeen != 0 {
		t.Errorf("groups: %v", s.Groups)
	}
}

func TestCommitsThatVanishAreBelievedTheSecondTime(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.commit("billing", "orders", 0, 0)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	defer f.answer(kmsg.OffsetFetch, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.OffsetFetchResponse)
		for _, g := range r.(*kmsg.OffsetFetchRequest).Groups {
			one := kmsg.NewOffsetFetchResponseGroup()
			one.Group = g.Group
			response.Groups = append(response.Groups, one)
		}
		return response
	})()
	s := poll(t, c, now)
	carried(t, "commit", s, s.Groups["billing"].Offsets[key("orders", 0)])
	problem(t, s, model.StageOffsets, "empty_answer")
	s = pollWhole(t, c, now)
	if offsets := s.Groups["billing"].Offsets; len(offsets) != 0 {
		t.Errorf("offsets: %v", offsets)
	}
	fresh(t, "all offsets", s, s.Groups["billing"].OffsetsRead)
}
