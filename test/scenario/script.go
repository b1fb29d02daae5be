package scenario

import (
	"math"
	"time"
)

// Rule is what deletes a scenario's records.
type Rule int

// The rules; ByNone is a topic on which retention deletes nothing.
const (
	ByTime Rule = iota + 1
	BySize
	ByBoth
	ByNone
)

// String names the rule in tables.
func (r Rule) String() string {
	return map[Rule]string{ByTime: "time", BySize: "size", ByBoth: "both", ByNone: "none"}[r]
}

// Scenario is one topic of one partition with everything that happens to it.
type Scenario struct {
	Name      string // of the topic too
	Rule      Rule
	Retention time.Duration     // the time its records live, as the unit of what is expected
	Configs   map[string]string // of the topic
	History   time.Duration     // how far back the records begin that are there at the start; 0 is an empty topic
	Producer  Producer
	Groups    []Group
	Events    []Event
}

// Producer appends one record at a time, History included, unless Count says otherwise.
type Producer struct {
	Every time.Duration
	Size  int           // bytes of the value
	Late  time.Duration // by how much stamps lag behind the clock
	// Count is how many records come at a beat, by the time since the stage was set, which is negative
	// for History. They are one batch.
	Count         func(at time.Duration) int
	Transactional bool // a transaction for each beat
}

// count is how many records a beat brings.
func (p Producer) count(at time.Duration) int {
	if p.Count == nil {
		return 1
	}
	return p.Count(at)
}

// Kind is how a group commits.
type Kind int

// The kinds of groups: by commits alone, as a member by the classic protocol, as a member by KIP-848.
const (
	Memberless Kind = iota + 1
	Classic
	Consumer
)

// Group is a consumer group on the scenario's topic. Its name in the cluster is unique to the scenario.
type Group struct {
	Name   string
	Kind   Kind
	Behind time.Duration // its first commit is of the record appended this long before the start; 0 is the end
	Pace   float64       // records a second; 0 stands still, Keep reads all there is
	Every  time.Duration // between commits
	Silent bool          // never commits
	// Members are its clients, one if it is not given; only one of them has the partition. Cooperative
	// ones hand partitions over without a stop; classic groups only.
	Members     int
	Cooperative bool
	// Runs tells when a memberless group works at all, by the time since the stage was set.
	Runs func(at time.Duration) bool
	// ToEnd has a memberless group that fell off the log go on from its end, not from its start.
	ToEnd bool
	// Stuck is how long a memberless group that has fallen off the log stays there before it goes on from
	// the log start, as one without auto.offset.reset does until somebody helps.
	Stuck time.Duration
	// Loses is whether it loses records before the run ends.
	Loses bool
	// Healthy groups keep up, so no loss may ever be forecast near.
	Healthy bool
}

// Keep is the pace of a group that reads whatever is there.
const Keep = math.MaxFloat64

// Event is an action at a time after the start.
type Event struct {
	At     time.Duration
	Action Action
}

// Pair names a group on a scenario's partition 0.
type Pair struct {
	Group, Topic string
}

// pairOf is the pair of a group of a scenario; groups of one name in two scenarios stay apart.
func pairOf(s Scenario, g Group) Pair {
	return Pair{Group: s.Name + "." + g.Name, Topic: s.Name}
}
