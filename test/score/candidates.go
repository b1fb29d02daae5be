package score

import (
	"fmt"
	"strconv"
	"time"

	"gopkg.in/yaml.v3"
)

// Candidate is one way to set up a rule that people use.
type Candidate struct {
	Name string // in words
	Expr string
	For  time.Duration // of the run
}

// Family is a rule with everything that it may be set to. Its best candidate stands for it.
type Family struct {
	Name       string // of the alert
	Candidates []Candidate
}

// Label is the label of an alert that tells the candidate by its number in the family.
const Label = "candidate"

const lag = "max without (instance, pod) (kafka_retention_group_lag_records)"

// lagAboveConstant fires when a group has more unread records than a number, which it is free to choose.
func lagAboveConstant(most, step int) Family {
	f := Family{Name: "LagAboveConstant"}
	for n := step; n <= most; n += step {
		f.Candidates = append(f.Candidates, Candidate{Name: fmt.Sprintf("lag > %d", n), Expr: fmt.Sprintf("%s > %d", lag, n)})
	}
	return f
}

// lagRising fires when lag has risen over a window, and that for a while. Usual are a window of five
// minutes and some minutes of waiting, which in compressed time hold no two scrapes; it is free to choose
// from the shortest window that holds several up to half a day at scale 1, and to wait as long.
func lagRising(scale float64) Family {
	scaled := func(d time.Duration) time.Duration { return time.Duration(float64(d) * scale) }
	f := Family{Name: "LagRising"}
	for _, window := range []int{4, 8, 12} {
		for _, wait := range []int{0, 2, 4, 8, 12} {
			f.Candidates = append(f.Candidates, Candidate{
				Name: fmt.Sprintf("lag higher than %d h ago, for %d h", window, wait),
				Expr: fmt.Sprintf("delta(kafka_retention_group_lag_records[%dms]) > 0", scaled(time.Duration(window)*time.Hour).Milliseconds()),
				For:  scaled(time.Duration(wait) * time.Hour),
			})
		}
	}
	return f
}

// RuleFile is a rule file of Prometheus with the groups of another one, and one for each family with
// every candidate.
func RuleFile(before []byte, families ...Family) ([]byte, error) {
	var file struct{ Groups []any }
	if err := yaml.Unmarshal(before, &file); err != nil {
		return nil, fmt.Errorf("decode rules: %w", err)
	}
	for _, f := range families {
		file.Groups = append(file.Groups, f.group())
	}
	out, err := yaml.Marshal(file)
	if err != nil {
		return nil, fmt.Errorf("encode rules: %w", err)
	}
	return out, nil
}

// group is the family as a group of rules.
func (f Family) group() any {
	type rule struct {
		Alert, Expr, For string
		Labels           map[string]string
	}
	var rules []rule
	for i, c := range f.Candidates {
		rules = append(rules, rule{f.Name, c.Expr, fmt.Sprintf("%dms", c.For.Milliseconds()), map[string]string{Label: strconv.Itoa(i)}})
	}
	return struct {
		Name  string
		Rules []rule
	}{f.Name, rules}
}
