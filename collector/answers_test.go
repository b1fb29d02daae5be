package collector_test

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// answer makes the cluster answer requests of one kind with what make returns; nil leaves the
// answer to the cluster. It ends with the returned function.
func (f *fake) answer(api kmsg.Key, make func(kmsg.Request) kmsg.Response) (end func()) {
	ended := false
	f.ControlKey(int16(api), func(r kmsg.Request) (kmsg.Response, error, bool) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if ended {
			f.DropControl()
			return nil, nil, false
		}
		response := make(r)
		if response == nil {
			return nil, nil, false
		}
		f.KeepControl()
		f.note(r) // what is answered here does not reach the log of newFake
		response.SetVersion(r.GetVersion())
		return response, nil, true
	})
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		ended = true
	}
}

// metadata is the cluster's own answer, for changing.
func (f *fake) metadata() *kmsg.MetadataResponse {
	f.t.Helper()
	request := kmsg.NewPtrMetadataRequest()
	request.Topics = nil
	response, err := request.RequestWith(f.t.Context(), f.client)
	if err != nil {
		f.t.Fatal(err)
	}
	return response
}

// offsets makes every ListOffsets answer give these values by the special time asked for.
func (f *fake) offsets(by map[int64]int64) (end func()) {
	return f.answer(kmsg.ListOffsets, func(r kmsg.Request) kmsg.Response {
		q := r.(*kmsg.ListOffsetsRequest)
		offset, known := by[q.Topics[0].Partitions[0].Timestamp]
		if !known {
			return nil
		}
		response := q.ResponseKind().(*kmsg.ListOffsetsResponse)
		for _, t := range q.Topics {
			topic := kmsg.NewListOffsetsResponseTopic()
			topic.Topic = t.Topic
			for _, p := range t.Partitions {
				one := kmsg.NewListOffsetsResponseTopicPartition()
				one.Partition, one.Offset = p.Partition, offset
				topic.Partitions = append(topic.Partitions, one)
			}
			response.Topics = append(response.Topics, topic)
		}
		return response
	})
}

func TestPartitionWithoutLeaderKeepsWhatIsKnown(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0, 1)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	changed := f.metadata()
	for i := range changed.Topics[0].Partitions {
		if p := &changed.Topics[0].Partitions[i]; p.Partition == 1 {
			p.Leader, p.ErrorCode = -1, kerr.LeaderNotAvailable.Code
		}
	}
	end := f.answer(kmsg.Metadata, func(kmsg.Request) kmsg.Response { return changed })
	s := poll(t, c, now)
	p := s.Partitions[key("orders", 1)]
	if p.LeaderKnown {
		t.Errorf("leader: %d", p.Leader)
	}
	carried(t, "log start", s, p.LogStart)
	carried(t, "end", s, p.End)
	fresh(t, "end of the other partition", s, s.Partitions[key("orders", 0)].End)
	for _, stage := range []model.Stage{model.StageLogStarts, model.StageEnds} {
		if found := problem(t, s, stage, "LEADER_NOT_AVAILABLE"); found.Count != 1 || found.HasBroker {
			t.Errorf("problem: %+v", found)
		}
	}

	end()
	s = pollWhole(t, c, now)
	fresh(t, "end", s, s.Partitions[key("orders", 1)].End)
}

func TestLogStartAboveEndIsThrownAway(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.produce("orders", 0, 500, 600, 700)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	end := f.offsets(map[int64]int64{-2: 120, -1: 110})
	s := poll(t, c, now)
	p := s.Partitions[key("orders", 0)]
	want(t, "log start", p.LogStart, 0)
	want(t, "end", p.End, 3)
	carried(t, "log start", s, p.LogStart)
	carried(t, "end", s, p.End)
	problem(t, s, model.StageEnds, "start_above_end")

	end()
	s = pollWhole(t, c, now)
	fresh(t, "end", s, s.Partitions[key("orders", 0)].End)
}

func TestEndThatGoesBackIsTakenAndMetadataReadAtOnce(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	f.produce("orders", 0, 500, 600, 700)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	defer f.offsets(map[int64]int64{-1: 2})()
	before := c.Requests()["Metadata"]
	s := pollWhole(t, c, now)
	want(t, "end", s.Partitions[key("orders", 0)].End, 2)
	if after := c.Requests()["Metadata"]; after != before+1 {
		t.Errorf("%d metadata requests, want 1", after-before)
	}
}

func TestPartitionMissingInAnAnswerIsNoZero(t *testing.T) {
	f := newFake(t, kfake.NumBrokers(1))
	f.topic("orders", nil, 0)
	f.produce("orders", 0, 500)
	c := newCollector(t, f.steady())
	now := clock()
	pollWhole(t, c, now)

	defer f.answer(kmsg.ListOffsets, func(r kmsg.Request) kmsg.Response { return r.ResponseKind() })()
	s := poll(t, c, now)
	want(t, "end", s.Partitions[key("orders", 0)].End, 1)
	carried(t, "end", s, s.Partitions[key("orders", 0)].End)
	problem(t, s, model.StageEnds, "missing_answer")
}

func TestEmptyMetadataIsNoDeletionAtOnce(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	empty := f.metadata()
	empty.Topics = nil
	end := f.answer(kmsg.Metadata, func(kmsg.Request) kmsg.Response { return empty })
	s := poll(t, c, now)
	if len(s.Topics) != 1 || len(s.Partitions) != 1 {
		t.Errorf("gone after one empty answer: %v", s.Topics)
	}
	problem(t, s, model.StageMetadata, "empty_answer")
	end()
	if s := pollWhole(t, c, now); len(s.Topics) != 1 {
		t.Errorf("topics: %v", s.Topics)
	}
}

func TestFailedMetadataIsNoDeletion(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	c := newCollector(t, f.config())
	now := clock()
	pollWhole(t, c, now)

	failed := f.metadata()
	failed.Topics, failed.ErrorCode = nil, kerr.UnknownServerError.Code
	defer f.answer(kmsg.Metadata, func(kmsg.Request) kmsg.Response { return failed })()
	for range 3 {
		s := poll(t, c, now)
		problem(t, s, model.StageMetadata, "UNKNOWN_SERVER_ERROR")
		fresh(t, "end", s, s.Partitions[key("orders", 0)].End)
	}
}
