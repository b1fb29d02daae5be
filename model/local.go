package model

// LocalReplica is one replica as its own files show it (broker.md 10).
type LocalReplica struct {
	Key     PartitionKey
	TopicID TopicID // zero where partition.metadata does not tell
	Dir     string  // the log dir it is in
	// Segments are those in the log, rising; the last one is active. Largest and Stamped are what the
	// broker judges by, as far as written to the file when it was read.
	Segments []Segment
	// First is the largest stamp of the log's first batch, unknown in an empty log.
	First Maybe[Instant]
	// Start is the log start offset as last written to its checkpoint, every minute and on
	// DeleteRecords; without an entry there, the first segment's base.
	Start Offset
	// HighWatermark is as last written to its checkpoint, every few seconds; unknown before that.
	HighWatermark Maybe[Offset]
	// Below is what was right below the log start.
	Below Below
	// Differs is set where the files are not as brokers answer, for longer than the skew of one poll.
	Differs Maybe[Difference]
	// Deleted is the bytes of segments that have left the log and wait to be unlinked.
	Deleted Bytes
}

// Below is whether the offset right below a log start was the marker that ends a transaction, and no
// record; unknown where that offset was never read.
type Below struct {
	Start  Offset
	Marker Maybe[bool]
}

// Difference is what the files show of a replica, and what its leader told of the partition.
type Difference struct {
	Of          Differing
	Files, Told int64 // offsets or bytes
}

// Differing is in what files and answers differ.
type Differing int

// A start is only said to differ where the files begin beyond it: the log start may lie within the first
// segment. Sizes are compared on the leader.
const (
	DifferingStart Differing = iota + 1
	DifferingSize
)

// Size is the bytes of all segments in the log, as DescribeLogDirs counts them.
func (r *LocalReplica) Size() Bytes {
	return TotalSize(r.Segments)
}

// LocalBroker is what the log dirs of one broker show.
type LocalBroker struct {
	ID        BrokerID
	ClusterID string
	// Replicas are those that serve; a replica that is being moved here, deleted or kept aside is none.
	Replicas map[PartitionKey]*LocalReplica
}
