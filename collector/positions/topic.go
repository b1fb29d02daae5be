package positions

import (
	"context"
	"fmt"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/collector/compacted"
)

// topicReader reads positions in a topic of Kafka Connect.
type topicReader struct {
	client *kgo.Client
	mu     sync.Mutex // guards what follows
	topic  *compacted.Topic
	log    connectLog
}

// NewTopicReader prepares to read a source whose Connect is set and that has been validated. The client
// is one of its cluster, and the reader's to close.
func NewTopicReader(s Source, client *kgo.Client) *Reader {
	log := connectLog{Connect: s.Connect, held: map[string]connectOffset{}}
	r := NewReader(s)
	r.topic = &topicReader{client: client, topic: compacted.NewTopic(client, s.Connect.Topic), log: log}
	return r
}

// read reads on. What was not read to its end says nothing.
func (r *topicReader) read(ctx context.Context) (Told, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.topic.Read(ctx, compacted.Sink{Take: r.log.take, Forget: r.log.forget})
	if err == nil && !r.topic.Complete() {
		err = fmt.Errorf("%s does not exist or was not read to its end yet", r.log.Topic)
	}
	var told Told
	if err == nil {
		told, err = r.log.told()
	}
	if err != nil {
		return Told{}, fmt.Errorf("read positions: %w", err)
	}
	return told, nil
}
