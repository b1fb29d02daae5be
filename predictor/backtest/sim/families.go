package sim

import (
	"slices"

	"kafka-retention-exporter/predictor/backtest/track"
)

// Family is one entry of the lists of scenarios (forecast.md 4.2): a rule, a producer, a group's
// behaviour or something that befalls the infrastructure. It sets its own axis of a plan.
type Family struct {
	Name  string
	Axis  track.Axis
	Tuned bool // constants were chosen on it; the others are held out
	// often is how often episodes of other families draw it for this axis, relative to the others
	// of the axis; 0 is never.
	often int
	set   func(*draw)
}

// Families lists all of them.
func Families() []Family { return slices.Concat(rules(), producers(), readers(), infrastructure()) }

// common draws an entry of an axis for an episode whose family belongs to another one.
func (d *draw) common(axis track.Axis) Family {
	entries := map[track.Axis]func() []Family{
		track.RuleAxis: rules, track.ProducerAxis: producers, track.GroupAxis: readers, track.InfraAxis: infrastructure,
	}[axis]()
	if axis == track.InfraAxis && !d.oneIn(3) {
		return Family{Name: "calm", Axis: axis, set: func(*draw) {}}
	}
	sum := 0
	for _, f := range entries {
		sum += f.often
	}
	pick := d.Intn(sum)
	for _, f := range entries {
		if pick -= f.often; pick < 0 {
			return f
		}
	}
	panic("unreachable: the pick is below the sum")
}

// tracesFor is the half of the traces that families tuned on may use, or the other half.
func tracesFor(all []Trace, tuned bool) []Trace {
	var out []Trace
	for i, t := range all {
		if (i%2 == 0) == tuned {
			out = append(out, t)
		}
	}
	return out
}
