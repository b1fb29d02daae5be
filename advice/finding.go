package advice

import "strconv"

// Kind is what a finding is about, in the words of the metric topic_finding.
type Kind int

// The findings, in the order in which they are looked for.
const (
	InertRetention Kind = iota + 1
	OutlivesRetention
	FutureStamp
	BrokersDisagree
	BrokerDefault
	RetentionShort
	BytesExceedVolume
	ActiveExceedsCap
	OldStamps
	ReplicaAhead
	NotApplied
	Uncovered
	BrokerUnverified
	FilesDisagree
)

var kindWords = [...]string{
	InertRetention: "inert_retention", OutlivesRetention: "outlives_retention", FutureStamp: "future_stamp",
	BrokersDisagree: "brokers_disagree", BrokerDefault: "broker_default", RetentionShort: "retention_short",
	BytesExceedVolume: "bytes_exceed_volume", ActiveExceedsCap: "active_exceeds_cap", OldStamps: "old_stamps",
	ReplicaAhead: "replica_ahead", NotApplied: "not_applied", Uncovered: "uncovered",
	BrokerUnverified: "broker_unverified", FilesDisagree: "files_disagree",
}

// String is the metric's label value.
func (k Kind) String() string {
	if k <= 0 || int(k) >= len(kindWords) {
		return "invalid(" + strconv.Itoa(int(k)) + ")"
	}
	return kindWords[k]
}

// Kinds lists every kind.
func Kinds() []Kind {
	out := make([]Kind, 0, len(kindWords)-1)
	for k := InertRetention; int(k) < len(kindWords); k++ {
		out = append(out, k)
	}
	return out
}

// Finding is one thing that makes a topic's retention behave otherwise than it looks.
type Finding struct {
	Topic       string
	Kind        Kind
	Evidence    string   // what was seen, with its numbers
	Consequence string   // what it leads to
	Cure        []string // command lines or steps of which any one is enough
}
