package model

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"
)

// Read is something a broker said and when: a value-and-ok that remembers its age. The zero
// Read is "never read". A Read from an earlier poll that could not be renewed is kept with its
// old instant; how long it may still be shown is the exporter's decision, not a broker fact.
type Read[T any] struct {
	value T
	at    Instant
	ok    bool
}

// ReadAt makes a Read of a value answered at the given instant (the request's start: the value
// is at least as new as that).
func ReadAt[T any](v T, at Instant) Read[T] { return Read[T]{v, at, true} }

// Get returns the value; ok is false if it was never read.
func (r Read[T]) Get() (v T, ok bool) { return r.value, r.ok }

// At returns when the value was read; ok is false if it never was.
func (r Read[T]) At() (at Instant, ok bool) { return r.at, r.ok }

// FreshSince returns the value only if it was read at or after the given instant.
func (r Read[T]) FreshSince(t Instant) (v T, ok bool) {
	if !r.ok || r.at < t {
		var none T
		return none, false
	}
	return r.value, true
}

// TopicID is the 16 bytes that tell a topic from a later one of the same name; zero when the
// broker is too old to say (before 2.8).
type TopicID [16]byte

// MarshalText writes an id as Kafka prints it.
func (id TopicID) MarshalText() ([]byte, error) {
	return base64.RawURLEncoding.AppendEncode(nil, id[:]), nil
}

// UnmarshalText reads one.
func (id *TopicID) UnmarshalText(text []byte) error {
	b, err := base64.RawURLEncoding.DecodeString(string(text))
	if err != nil || len(b) != len(id) {
		return fmt.Errorf("topic id %q is not 16 bytes in base64", text)
	}
	copy(id[:], b)
	return nil
}

// BrokerID is node.id.
type BrokerID int32

// PartitionKey names a partition.
type PartitionKey struct {
	Topic     string
	Partition int32
}

// Compare orders by topic, then partition.
func (k PartitionKey) Compare(other PartitionKey) int {
	return cmp.Or(strings.Compare(k.Topic, other.Topic), cmp.Compare(k.Partition, other.Partition))
}

// PairKey names a group on a partition.
type PairKey struct {
	Group string
	PartitionKey
}

// Snapshot is everything known about the cluster after one poll. It is never changed once
// built; what a poll could not renew is carried over from the one before with its old instant.
type Snapshot struct {
	Started    Instant // when the poll began
	At         Instant // when it ended
	Reached    bool    // at least one broker answered in this poll
	ClusterID  string  // empty until known
	Brokers    map[BrokerID]Broker
	Topics     map[string]Topic // watched topics that exist
	Partitions map[PartitionKey]Partition
	Groups     map[string]Group // watched groups that exist
	GroupsSeen int              // groups listed, watched or not
	// TopicsHidden are topics that the filters let through and metadata does not list, though log
	// dirs do; GroupsHidden are watched groups whose offsets are refused.
	TopicsHidden, GroupsHidden int
	Portion                    Portion   // what is answered for; Topics has also what its groups read
	Problems                   []Problem // what this poll could not read
	// Local is what the log dirs of a broker on this machine show; never read where none are named.
	Local Read[LocalBroker]
}

// Broker is what concerns one broker as a whole.
type Broker struct {
	ID         BrokerID
	Up         bool // answered everything it was asked in this poll
	LastAnswer Read[struct{}]
	Settings   Read[BrokerSettings]
	Version    Read[string] // highest Kafka release its ApiVersions match, like "4.4"
	// Unverified is what in its configuration betrays that its retention is not Apache Kafka's code;
	// empty where nothing does.
	Unverified string
	Dirs       map[string]Volume // log dirs by path, as last answered; nil if never read
}

// BrokerSettings are the broker-level settings that time the passes and the offset expiry.
type BrokerSettings struct {
	CheckInterval    Millis // log.retention.check.interval.ms
	CleanerBackoff   Millis // log.cleaner.backoff.ms: the pass interval of compact,delete topics
	OffsetsRetention Millis // offsets.retention.minutes
	OffsetsCheck     Millis // offsets.retention.check.interval.ms
	InitialTaskDelay Millis // log.initial.task.delay.ms, 30 s where not shown
	RemoteTaskMs     Millis // remote.log.manager.task.interval.ms
}

// Volume is the file system under a log dir (DescribeLogDirs v4, Kafka 3.3).
type Volume struct {
	Total, Usable Read[Bytes]
	// Replicas are the logs it hosts with their sizes, as when all were last told; nil if never.
	Replicas map[PartitionKey]Bytes
}

// Topic is what concerns a whole topic.
type Topic struct {
	Name       string
	ID         TopicID
	Internal   bool
	Partitions int32
	Settings   map[BrokerID]Read[Settings] // as each asked broker resolves them
	Unreadable bool                        // a leader refused the last attempt to read its settings; its mere silence shows in LastAnswer
}

// Partition is one partition as its leader tells.
type Partition struct {
	Key              PartitionKey
	TopicID          TopicID
	Leader           BrokerID
	LeaderKnown      bool
	LeaderEpoch      int32
	Replicas         []BrokerID
	ISR              []BrokerID
	LogStart         Read[Offset]              // ListOffsets -2
	LogStartHolds    Maybe[Instant]            // see LogStartAsOf
	End              Read[Offset]              // high watermark, ListOffsets -1
	Size             Read[SizeRead]            // leader replica, DescribeLogDirs
	Oldest           Read[Stamped]             // record at the log start, ListOffsets by time 0; Found false if none
	FollowerLogStart map[BrokerID]Read[Offset] // ListOffsets -2 with replica id -2
	LocalLogStart    Read[Offset]              // tiered: ListOffsets -4
}

// LogStartAsOf is until when the log start stands for the present: when it was read, or a later
// poll in which the leader answered and a reading was not due (Attention). How long a slower
// reading may rest is not staleness; a reading that was due and failed is.
func (p Partition) LogStartAsOf() (at Instant, ok bool) {
	at, ok = p.LogStart.At()
	if held, rested := p.LogStartHolds.Get(); ok && rested {
		at = max(at, held)
	}
	return at, ok
}

// SizeRead is a size together with the offsets between which it was taken, so that bytes can
// be set against offsets. Still is true when log start did not move while the size was read.
type SizeRead struct {
	Bytes     Bytes
	EndBefore Offset // high watermark read before the size
	EndAfter  Offset // and after it
	LogStart  Offset
	Still     bool
}

// Stamped is a record's offset and stamp, as ListOffsets by time answers them.
type Stamped struct {
	Offset Offset
	Stamp  Instant
	Found  bool // false: no record at or after the asked time (or none that can be told)
}

// GroupKind is what ListGroups calls a group's type and protocol.
type GroupKind int

// The kinds of groups; KindClassic includes every kind on brokers that do not tell (before 3.8).
const (
	KindClassic GroupKind = iota + 1
	KindConsumer
	KindShare
	KindStreams
	// KindExternal is no group of the cluster's: positions that something keeps elsewhere, shown
	// under a name of its own. It has no members, and nothing expires its positions.
	KindExternal
)

// String prints the kind as Kafka does.
func (k GroupKind) String() string {
	switch k {
	case KindClassic:
		return "classic"
	case KindConsumer:
		return "consumer"
	case KindShare:
		return "share"
	case KindStreams:
		return "streams"
	case KindExternal:
		return "external"
	}
	return "invalid"
}

// Group is one consumer group.
type Group struct {
	Name         string
	Kind         GroupKind
	State        string // as listed: Stable, Empty, PreparingRebalance, CompletingRebalance, Assigning, Reconciling, Dead, ...
	ProtocolType string // empty for groups that only commit
	Offsets      map[PartitionKey]Read[Commit]
	OffsetsRead  Read[struct{}]        // last time all its offsets were answered
	Assigned     map[PartitionKey]bool // from its description where it was asked, else nil; of share groups, where they have a state
	Subscribed   map[string]bool       // topics, likewise
	// Earlier is how pairs came to where they are, as far as the offsets topic tells: told of each
	// pair once, by the first poll that knows it, and only where that topic is read.
	Earlier     map[PartitionKey][]Passed
	Refused     string // error name if its offsets cannot be read, else empty
	Unsupported bool   // its coordinator knows no request that tells its positions
	// Told is when the positions of KindExternal were true, as their keeper says; Lapses is when
	// they are too old to say anything.
	Told, Lapses Maybe[Instant]
}

// Lapsed tells whether the positions are too old to say anything.
func (g Group) Lapsed(now Instant) bool {
	at, ok := g.Lapses.Get()
	return ok && at < now
}

// HasMembers tells whether the group's state says that members exist.
func (g Group) HasMembers() bool {
	return g.State != "Empty" && g.State != "Dead" && g.State != ""
}

// Rebalancing tells whether the group is between assignments.
func (g Group) Rebalancing() bool {
	switch g.State {
	case "PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling":
		return true
	}
	return false
}

// Commit is a committed offset, or where a share group starts in a partition.
type Commit struct {
	Offset      Offset
	LeaderEpoch int32 // -1 where the committer did not say
	// Unfinished is how many offsets from Offset to the end a share group has not finished with, as
	// its coordinator counts them (DescribeShareGroupOffsets v1, Kafka 4.2, KIP-1226); unknown elsewhere.
	Unfinished Maybe[Offset]
	// At is when it was committed last, and Expires when it expires whatever its group does, which
	// only clients before Kafka 2.1 can wish for. Both are known only where the offsets topic is read.
	At, Expires Maybe[Instant]
}

// Passed is a position that a pair had.
type Passed struct {
	At     Instant // when it was first committed
	Offset Offset
	Wait   Maybe[Millis] // since the position before it, whether that is listed or not
}

// Stage is the part of a poll that a problem belongs to.
type Stage string

// The stages, as poll_failures_total names them.
const (
	StageMetadata  Stage = "metadata"
	StageConfigs   Stage = "configs"
	StageGroups    Stage = "groups"
	StageOffsets   Stage = "offsets"
	StageLogStarts Stage = "log_starts"
	StageEnds      Stage = "ends"
	StageLogDirs   Stage = "log_dirs"
	StageTimes     Stage = "times"
	StageReplicas  Stage = "replicas"
)

// Stages lists every stage.
func Stages() []Stage {
	return []Stage{StageMetadata, StageConfigs, StageGroups, StageOffsets, StageLogStarts, StageEnds, StageLogDirs, StageTimes, StageReplicas}
}

// Problem is one thing a poll could not read. Broker, Topic, Partition and Group are set where
// they apply; Count is how many items it stands for.
type Problem struct {
	Stage     Stage
	Cause     string // one word, an error name like TOPIC_AUTHORIZATION_FAILED, or deadline, refused, unreachable
	Detail    string // the error for people
	Broker    BrokerID
	HasBroker bool
	Topic     string
	Group     string
	Count     int
}

// TimeQuestion asks the leader of a partition for the first record stamped At or later
// (ListOffsets by timestamp; needs DESCRIBE only).
type TimeQuestion struct {
	Key PartitionKey
	At  Instant
}

// TimeAnswer is what it said. Found false proves nothing (broker.md 9.2).
type TimeAnswer struct {
	TimeQuestion
	Stamped
	Asked Instant // when
}
