package collector

import (
	"time"

	"kafka-retention-exporter/collector/committed"
	"kafka-retention-exporter/model"
)

// memory is what the collector remembers from poll to poll beside the snapshot: when things were
// read, and what has been seen once and needs a second look before it is believed.
type memory struct {
	metadataAt  time.Time
	metadataDue bool             // something said that brokers, topics or leaders changed
	listed      []model.BrokerID // brokers of the last metadata
	releases    map[model.BrokerID]release

	slots        int32 // partitions of __consumer_offsets, 0 until known
	portion      model.Portion
	portionKnown bool
	widened      bool                     // it changed, and which topics it needs is not known yet
	others       map[string]model.TopicID // topics that it does not need

	keys []model.PartitionKey // of the partitions in the last snapshot, sorted; nil if that is to be done

	missing   map[string]int  // topics, by how many successive metadata answers lack them
	forbidden map[string]bool // topics whose leader says that we may not see them
	strangers map[string]bool // topics with commits that metadata does not list

	configsAt time.Time
	configs   map[configAsk]bool  // settings that were answered for, if only by an error
	refused   map[configAsk]error // the error; it is not asked for again before its time

	attention model.Attention
	startsDue map[model.PartitionKey]bool // log starts that are read whatever attention says

	local localMemory

	sizesAt    time.Time
	hidden     int // topics that log dirs tell of and metadata does not
	replicasAt time.Time
	noDirs     map[model.BrokerID]dirsRefusal
	oldest     map[model.PartitionKey]oldestAsk

	commits        *committed.Log // nil where the offsets topic is not read
	commitsRefused error          // why it may not be read
	commitsAt      time.Time      // when that was said

	unlisted  map[string]int // groups, by how many successive complete lists lack them
	emptied   map[string]bool
	taken     map[string]bool // names of keepers that groups of the cluster have
	described map[string]description
}

func newMemory() memory {
	return memory{
		releases:  map[model.BrokerID]release{},
		missing:   map[string]int{},
		forbidden: map[string]bool{},
		strangers: map[string]bool{},
		configs:   map[configAsk]bool{},
		refused:   map[configAsk]error{},
		others:    map[string]model.TopicID{},
		startsDue: map[model.PartitionKey]bool{},
		noDirs:    map[model.BrokerID]dirsRefusal{},
		oldest:    map[model.PartitionKey]oldestAsk{},
		unlisted:  map[string]int{},
		emptied:   map[string]bool{},
		taken:     map[string]bool{},
		described: map[string]description{},
	}
}

// keepOnly forgets what concerns brokers, topics and groups that the snapshot no longer has, so
// that churn does not grow memory.
func (m *memory) keepOnly(s *model.Snapshot) {
	topicGone := func(t string) bool { _, ok := s.Topics[t]; return !ok }
	groupGone := func(g string) bool { _, ok := s.Groups[g]; return !ok }
	brokerGone := func(b model.BrokerID) bool { _, ok := s.Brokers[b]; return !ok }
	deleteIf(m.releases, brokerGone)
	deleteIf(m.noDirs, brokerGone)
	deleteIf(m.missing, topicGone)
	deleteIf(m.forbidden, topicGone)
	askGone := func(a configAsk) bool { return brokerGone(a.broker) || a.topic != "" && topicGone(a.topic) }
	deleteIf(m.configs, askGone)
	deleteIf(m.refused, askGone)
	partitionGone := func(k model.PartitionKey) bool { _, ok := s.Partitions[k]; return !ok }
	deleteIf(m.oldest, partitionGone)
	deleteIf(m.startsDue, partitionGone)
	deleteIf(m.unlisted, groupGone)
	deleteIf(m.emptied, groupGone)
	deleteIf(m.described, groupGone)
}

func deleteIf[K comparable, V any](m map[K]V, gone func(K) bool) {
	for k := range m {
		if gone(k) {
			delete(m, k)
		}
	}
}

// due tells whether something read at last is to be read again. Polls are not punctual: one that
// comes a little early counts, or every second poll would miss its turn.
func due(last time.Time, every time.Duration) bool {
	return last.IsZero() || time.Since(last) >= every-every/20
}
