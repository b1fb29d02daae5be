package collector_test

import (
	"maps"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"kafka-retention-exporter/model"
)

// lists makes every broker list these groups with members, by kind.
func (f *fake) lists(groups map[string]string) {
	nodes := map[string]int32{}
	for name := range groups {
		nodes[name] = f.CoordinatorFor(name)
	}
	f.answer(kmsg.ListGroups, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.ListGroupsResponse)
		for name, kind := range groups {
			if nodes[name] == f.CurrentNode() {
				one := kmsg.NewListGroupsResponseGroup()
				one.Group, one.ProtocolType, one.GroupType, one.GroupState = name, kind, kind, "Stable"
				response.Groups = append(response.Groups, one)
			}
		}
		return response
	})
}

// knowsStreams makes the cluster, which does not, say that it describes streams groups, and
// describe each as one member with a task on partition 1 of what it reads.
func (f *fake) knowsStreams() {
	f.t.Helper()
	versions, err := kmsg.NewPtrApiVersionsRequest().RequestWith(f.t.Context(), f.client)
	if err != nil {
		f.t.Fatal(err)
	}
	describe := kmsg.NewApiVersionsResponseApiKey()
	describe.ApiKey, describe.MaxVersion = int16(kmsg.StreamsGroupDescribe), 0
	versions.ApiKeys = append(versions.ApiKeys, describe)
	f.answer(kmsg.ApiVersions, func(kmsg.Request) kmsg.Response {
		one := *versions // kfake writes into each answer, for several connections at once
		return &one
	})
	f.answer(kmsg.StreamsGroupDescribe, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.StreamsGroupDescribeResponse)
		for _, name := range r.(*kmsg.StreamsGroupDescribeRequest).Groups {
			one := kmsg.NewStreamsGroupDescribeResponseGroup()
			one.Group, one.State, one.Topology = name, "Stable", &kmsg.StreamsGroupDescribeResponseGroupTopology{
				Subtopologies: []kmsg.StreamsGroupDescribeResponseGroupTopologySubtopology{
					{SubtopologyID: "0", SourceTopics: []string{"orders"}, RepartitionSourceTopics: []kmsg.TopicInfo{{Topic: "by-key"}}},
					{SubtopologyID: "1", SourceTopics: []string{"idle"}},
				}}
			member := kmsg.NewStreamsGroupDescribeResponseGroupMember()
			member.Assignment.ActiveTasks = []kmsg.TaskIDs{{SubtopologyID: "0", Partitions: []int32{1}}}
			member.Assignment.StandbyTasks = []kmsg.TaskIDs{{SubtopologyID: "1", Partitions: []int32{0}}}
			one.Members = append(one.Members, member)
			response.Groups = append(response.Groups, one)
		}
		return response
	})
}

func TestStreamsMembersTellWhatAGroupAnswersFor(t *testing.T) {
	f := newFake(t)
	for _, topic := range []string{"orders", "by-key", "idle"} {
		f.topic(topic, nil, 0, 1)
	}
	f.lists(map[string]string{"flows": "streams"})
	f.commit("flows", "orders", 0, 0)
	f.knowsStreams()
	g := pollWhole(t, newCollector(t, f.config()), clock()).Groups["flows"]
	if want := map[model.PartitionKey]bool{key("orders", 1): true, key("by-key", 1): true}; !maps.Equal(g.Assigned, want) {
		t.Errorf("assigned: %v", g.Assigned)
	}
	if want := map[string]bool{"orders": true, "by-key": true, "idle": true}; !maps.Equal(g.Subscribed, want) {
		t.Errorf("subscribed: %v", g.Subscribed)
	}
}

// A broker that cannot describe streams groups tells their positions all the same.
func TestStreamsGroupThatCannotBeDescribedHasPositions(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.lists(map[string]string{"flows": "streams"})
	f.commit("flows", "orders", 0, 0)
	g := pollWhole(t, newCollector(t, f.config()), clock()).Groups["flows"]
	if _, ok := g.Offsets[key("orders", 0)].Get(); !ok || g.Kind != model.KindStreams || g.Subscribed != nil {
		t.Errorf("group: %+v", g)
	}
}

// shareState is a partition of what a coordinator tells of a share group.
type shareState struct {
	start, lag int64
	code       int16
}

// shares makes coordinators tell this of every share group, on topic orders.
func (f *fake) shares(states ...shareState) (end func()) {
	f.t.Helper()
	id := f.metadata().Topics[0].TopicID
	return f.answer(kmsg.DescribeShareGroupOffsets, func(r kmsg.Request) kmsg.Response {
		response := r.ResponseKind().(*kmsg.DescribeShareGroupOffsetsResponse)
		for _, g := range r.(*kmsg.DescribeShareGroupOffsetsRequest).Groups {
			one := kmsg.NewDescribeShareGroupOffsetsResponseGroup()
			one.GroupID = g.GroupID
			topic := kmsg.NewDescribeShareGroupOffsetsResponseGroupTopic()
			topic.Topic, topic.TopicID = "orders", id
			for i, s := range states {
				p := kmsg.NewDescribeShareGroupOffsetsResponseGroupTopicPartition()
				p.Partition, p.StartOffset, p.Lag, p.ErrorCode = int32(i), s.start, s.lag, s.code
				topic.Partitions = append(topic.Partitions, p)
			}
			one.Topics = append(one.Topics, topic)
			response.Groups = append(response.Groups, one)
		}
		return response
	})
}

// Versions of Kafka differ in what they tell of share groups: nothing, where they start, and also how
// much they have not finished with.
func TestShareGroupsAreAskedWhatTheBrokerKnows(t *testing.T) {
	for version, test := range map[string]struct{ told, counted bool }{
		"4.0": {}, "4.1": {told: true}, "4.2": {told: true, counted: true}, "4.4": {told: true, counted: true},
	} {
		t.Run(version, func(t *testing.T) {
			f := newFake(t, kfake.NumBrokers(1), kfake.MaxVersions(kversion.FromString(version)))
			f.topic("orders", nil, 0, 0)
			f.lists(map[string]string{"a": "share", "b": "share"})
			f.shares(shareState{start: 5, lag: 3}, shareState{start: -1, lag: -1})
			c := newCollector(t, f.config())
			s := pollWhole(t, c, clock())
			g := s.Groups["b"]
			if g.Kind != model.KindShare || g.Unsupported == test.told || g.Refused != "" {
				t.Errorf("group: %+v", g)
			}
			requests := map[bool]int64{true: 1}[test.told]
			if n := c.Requests()["DescribeShareGroupOffsets"]; n != requests || c.Requests()["OffsetFetch"] > 0 {
				t.Errorf("requests: %v", c.Requests())
			}
			if !test.told {
				return
			}
			at := value(t, "start", g.Offsets[key("orders", 0)])
			if n, ok := at.Unfinished.Get(); at.Offset != 5 || ok != test.counted || ok && n != 3 {
				t.Errorf("start: %+v", at)
			}
			if _, started := g.Offsets[key("orders", 1)]; started || !g.Assigned[key("orders", 1)] || !g.Subscribed["orders"] {
				t.Errorf("where it has not started: %+v", g)
			}
		})
	}
}

func TestShareGroupOfATopicCreatedAnewHasNoStart(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	f.lists(map[string]string{"a": "share"})
	f.shares(shareState{start: 5, lag: 3})
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)
	f.deleteTopic("orders")
	f.topic("orders", nil, 0)
	for range 2 {
		poll(t, c, now)
	}
	if g := poll(t, c, now).Groups["a"]; len(g.Offsets) > 0 || len(g.Assigned) > 0 {
		t.Errorf("group: %+v", g)
	}
}

func TestShareGroupWhoseCoordinatorMovedIsAskedOnceMore(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.lists(map[string]string{"a": "share"})
	f.shares(shareState{start: 5, lag: 3})
	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.DescribeShareGroupOffsets}, Err: kerr.NotCoordinator, Count: 1})
	s := pollWhole(t, newCollector(t, f.config()), clock())
	fresh(t, "start", s, s.Groups["a"].Offsets[key("orders", 0)])
}

func TestHiddenShareGroupIsAProblem(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.lists(map[string]string{"a": "share"})
	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.DescribeShareGroupOffsets}, Err: kerr.GroupAuthorizationFailed, Count: -1})
	s := poll(t, newCollector(t, f.config()), clock())
	problem(t, s, model.StageOffsets, "GROUP_AUTHORIZATION_FAILED")
	if g := s.Groups["a"]; g.Refused == "" {
		t.Errorf("group: %+v", g)
	}
}
