package kafka

import (
	"context"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// samplePatience bounds one question to one broker: a silent broker must not blind the sampler to the others.
const samplePatience = time.Second

// The ListOffsets timestamps that ask for the log start and for the high watermark.
const (
	askStart = -2
	askEnd   = -1
)

// sample reads all partitions once, each broker's in a goroutine of its own.
func (tr *Truth) sample(ctx context.Context) {
	leaders, ids := tr.leaders(ctx)
	var wg sync.WaitGroup
	for broker, keys := range leaders {
		wg.Go(func() { tr.sampleBroker(ctx, broker, keys, ids) })
	}
	wg.Wait()
}

// leaders asks who leads what now, and which topic has each name. Partitions without a leader are left out.
func (tr *Truth) leaders(ctx context.Context) (leaders map[int32][]Key, ids map[string][16]byte) {
	ctx, cancel := context.WithTimeout(ctx, samplePatience)
	defer cancel()
	req := kmsg.NewPtrMetadataRequest()
	asked := map[string]bool{}
	for _, k := range tr.keys {
		if !asked[k.Topic] {
			asked[k.Topic] = true
			t := kmsg.NewMetadataRequestTopic()
			t.Topic = new(k.Topic)
			req.Topics = append(req.Topics, t)
		}
	}
	resp, err := req.RequestWith(ctx, tr.client)
	if err != nil {
		return nil, nil
	}
	leader, ids := map[Key]int32{}, map[string][16]byte{}
	for _, t := range resp.Topics {
		if t.Topic == nil || t.ErrorCode != 0 {
			continue
		}
		ids[*t.Topic] = t.TopicID
		for _, p := range t.Partitions {
			if p.Leader >= 0 {
				leader[Key{*t.Topic, p.Partition}] = p.Leader
			}
		}
	}
	leaders = map[int32][]Key{}
	for _, k := range tr.keys {
		if l, ok := leader[k]; ok {
			leaders[l] = append(leaders[l], k)
		}
	}
	return leaders, ids
}

// sampleBroker asks one leader for log starts, then ends, and keeps the partitions that answered both.
func (tr *Truth) sampleBroker(ctx context.Context, broker int32, keys []Key, ids map[string][16]byte) {
	ctx, cancel := context.WithTimeout(ctx, samplePatience)
	defer cancel()
	sent := time.Now()
	starts := tr.listOffsets(ctx, broker, keys, askStart)
	ends := tr.listOffsets(ctx, broker, keys, askEnd)
	got := time.Now()
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, k := range keys {
		start, ok := starts[k]
		end, ok2 := ends[k]
		if ok && ok2 {
			tr.series[k] = append(tr.series[k], Sample{Sent: sent, Got: got, TopicID: ids[k.Topic], Start: start, End: end})
		}
	}
}

// listOffsets sends one raw ListOffsets request; partitions that answer with an error are left out.
func (tr *Truth) listOffsets(ctx context.Context, broker int32, keys []Key, ask int64) map[Key]int64 {
	req := kmsg.NewPtrListOffsetsRequest()
	topics := map[string][]kmsg.ListOffsetsRequestTopicPartition{}
	for _, k := range keys {
		p := kmsg.NewListOffsetsRequestTopicPartition()
		p.Partition, p.Timestamp = k.Partition, ask
		topics[k.Topic] = append(topics[k.Topic], p)
	}
	for name, partitions := range topics {
		t := kmsg.NewListOffsetsRequestTopic()
		t.Topic, t.Partitions = name, partitions
		req.Topics = append(req.Topics, t)
	}
	answer, err := tr.client.Broker(int(broker)).Request(ctx, req)
	if err != nil {
		return nil
	}
	offsets := map[Key]int64{}
	for _, t := range answer.(*kmsg.ListOffsetsResponse).Topics {
		for _, p := range t.Partitions {
			if p.ErrorCode == 0 {
				offsets[Key{t.Topic, p.Partition}] = p.Offset
			}
		}
	}
	return offsets
}
