package predictor

import "strconv"

// State is how a group stands on a partition, in the words of the metric group_state.
type State int

// The states in their order of precedence: the first that applies is the one that is said.
const (
	Lost State = iota + 1
	Rewound
	Rebalancing
	Batch
	Empty
	CaughtUp
	Stalled
	Progressing
)

var stateWords = [...]string{
	Lost: "lost", Rewound: "rewound", Rebalancing: "rebalancing", Batch: "batch",
	Empty: "empty", CaughtUp: "caught_up", Stalled: "stalled", Progressing: "progressing",
}

// String is the metric's label value.
func (s State) String() string { return word(stateWords[:], int(s)) }

// Reason is why a pair has no loss instant, in the words of the metric forecasts_unknown.
type Reason int

// The reasons. Their order is the order in which they are looked for.
const (
	NoCommit Reason = iota + 1
	ExpiredPosition
	Stale
	Unreadable
	ConfigUnreadable
	SizeUnreadable
	NoTimestamps
	NotEnoughHistory
	BeyondEnd
	Recreated
	SingleOffsetGap
	UnsupportedGroup
	BrokerUnverified
	Limit
)

var reasonWords = [...]string{
	NoCommit: "no_commit", ExpiredPosition: "expired_position", Stale: "stale", Unreadable: "unreadable",
	ConfigUnreadable: "config_unreadable", SizeUnreadable: "size_unreadable", NoTimestamps: "no_timestamps",
	NotEnoughHistory: "not_enough_history", BeyondEnd: "beyond_end", Recreated: "recreated",
	SingleOffsetGap: "single_offset_gap", UnsupportedGroup: "unsupported_group",
	BrokerUnverified: "broker_unverified", Limit: "limit",
}

// String is the metric's label value.
func (r Reason) String() string { return word(reasonWords[:], int(r)) }

// Reasons lists every reason.
func Reasons() []Reason { return list[Reason](len(reasonWords)) }

// States lists every state.
func States() []State { return list[State](len(stateWords)) }

// Rule is the rule of the broker that will delete the position first.
type Rule int

// The rules a forecast can name.
const (
	ByTime Rule = iota + 1
	BySize
)

var ruleWords = [...]string{ByTime: "time", BySize: "size"}

// String is the rule's name for people and JSON.
func (r Rule) String() string { return word(ruleWords[:], int(r)) }

func word(words []string, i int) string {
	if i <= 0 || i >= len(words) {
		return "invalid(" + strconv.Itoa(i) + ")"
	}
	return words[i]
}

func list[T ~int](n int) []T {
	out := make([]T, 0, n-1)
	for i := 1; i < n; i++ {
		out = append(out, T(i))
	}
	return out
}
