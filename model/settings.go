package model

// Policy is cleanup.policy: which of the broker's mechanisms may remove records.
type Policy int

// The policies a topic can have. PolicyNone is the empty cleanup.policy (legal since 4.2): keep for
// ever, unless the topic is tiered.
const (
	PolicyDelete Policy = iota + 1
	PolicyCompact
	PolicyCompactDelete
	PolicyNone
)

// ParsePolicy reads cleanup.policy as a broker prints it; ok is false for anything else.
func ParsePolicy(s string) (p Policy, ok bool) {
	switch s {
	case "delete":
		return PolicyDelete, true
	case "compact":
		return PolicyCompact, true
	case "compact,delete", "delete,compact":
		return PolicyCompactDelete, true
	case "", "none":
		return PolicyNone, true
	}
	return 0, false
}

// String prints the policy as metrics show it.
func (p Policy) String() string {
	switch p {
	case PolicyDelete:
		return "delete"
	case PolicyCompact:
		return "compact"
	case PolicyCompactDelete:
		return "compact,delete"
	case PolicyNone:
		return "none"
	}
	return "invalid"
}

// Deletes reports whether a retention pass obeys retention.ms and retention.bytes under this
// policy. Under compact-only and the empty policy it does not (UnifiedLog.deleteOldSegments);
// Settings.Limited has the exception of tiered topics.
func (p Policy) Deletes() bool { return p == PolicyDelete || p == PolicyCompactDelete }

// Compacts reports whether the cleaner threads, not the retention task, run the passes.
func (p Policy) Compacts() bool { return p == PolicyCompact || p == PolicyCompactDelete }

// TimestampType is message.timestamp.type.
type TimestampType int

// Who stamps the records: the producer, or the leader at append.
const (
	CreateTime TimestampType = iota + 1
	LogAppendTime
)

// String prints the type as Kafka writes it.
func (t TimestampType) String() string {
	switch t {
	case CreateTime:
		return "CreateTime"
	case LogAppendTime:
		return "LogAppendTime"
	}
	return "invalid"
}

// Settings are the topic settings that decide what is kept, as one broker resolves them
// (broker.md 6). Negative RetentionMs or RetentionBytes switch that limit off.
type Settings struct {
	Policy              Policy
	RetentionMs         Millis
	RetentionBytes      Bytes
	SegmentBytes        Bytes // internal.segment.bytes where it is set
	SegmentMs           Millis
	SegmentJitterMs     Millis
	MaxCompactionLagMs  Millis // max.compaction.lag.ms; 0 where it does not bound the age of a segment
	SegmentIndexBytes   Bytes
	IndexIntervalBytes  Bytes
	TimestampType       TimestampType
	FileDeleteDelay     Millis
	Tiered              bool // remote.storage.enable, policy without compact
	LocalRetentionMs    Millis
	LocalRetentionBytes Bytes
	RemoteCopyDisabled  bool
	// RetentionMsSource and RetentionBytesSource tell where the value comes from, as DescribeConfigs says.
	RetentionMsSource    ConfigSource
	RetentionBytesSource ConfigSource
}

// ConfigSource is where a setting's value comes from (DescribeConfigs "source").
type ConfigSource int

// The sources, in the protocol's own numbering.
const (
	SourceTopic         ConfigSource = 1
	SourceBroker        ConfigSource = 2
	SourceBrokerDefault ConfigSource = 3
	SourceStatic        ConfigSource = 4
	SourceDefault       ConfigSource = 5
)

// Limited reports whether retention.* acts at all: under the delete policies, and on a tiered
// topic under the empty policy too. There no pass moves the log start, but the task that expires
// remote segments never looks at cleanup.policy (RemoteLogManager.RLMExpirationTask; seen on
// 4.3.1, and the same in 4.4.0).
func (s Settings) Limited() bool {
	return s.Policy.Deletes() || s.Tiered && s.Policy == PolicyNone
}

// TimeLimit is the retention time in force; ok is false where no record is ever deleted by age.
func (s Settings) TimeLimit() (d Millis, ok bool) {
	return s.RetentionMs, s.Limited() && s.RetentionMs >= 0
}

// SizeLimit is the retention size in force; ok is false where no record is ever deleted by size.
func (s Settings) SizeLimit() (b Bytes, ok bool) {
	return s.RetentionBytes, s.Limited() && s.RetentionBytes >= 0
}
