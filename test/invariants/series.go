package invariants

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
)

// checkValues checks single samples: unknown is never shown as NaN, -1 or another negative.
func checkValues(families map[string]*dto.MetricFamily) error {
	var wrong []error
	for name, f := range families {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		for _, m := range f.GetMetric() {
			// A floor may lie before 1970 where stamps do: instants alone may be negative.
			negative := value(m) < 0 && !strings.HasSuffix(name, "_timestamp_seconds")
			if v := value(m); math.IsNaN(v) || math.IsInf(v, -1) || v == -1 || negative {
				wrong = append(wrong, fmt.Errorf("%s is %f", series(name, m), v))
			}
		}
	}
	return errors.Join(wrong...)
}

var (
	reasons = []string{
		"beyond_end", "broker_unverified", "config_unreadable", "expired_position", "limit", "no_commit", "no_timestamps",
		"not_enough_history", "recreated", "single_offset_gap", "size_unreadable", "stale", "unreadable", "unsupported_group",
	}
	stages = []string{"configs", "ends", "groups", "log_dirs", "log_starts", "metadata", "offsets", "replicas", "times"}
	states = []string{"batch", "caught_up", "empty", "lost", "progressing", "rebalancing", "rewound", "stalled"}
)

// checkVocabulary checks the fixed label values: every reason and stage is always there.
func checkVocabulary(p *page) error {
	var wrong []error
	if got := slices.Sorted(maps.Keys(p.reasons)); !slices.Equal(got, reasons) {
		wrong = append(wrong, fmt.Errorf("forecasts_unknown has the reasons %v", got))
	}
	if got := slices.Sorted(maps.Keys(p.stages)); !slices.Equal(got, stages) {
		wrong = append(wrong, fmt.Errorf("poll_failures_total has the stages %v", got))
	}
	for key, words := range p.states {
		for _, word := range words {
			if !slices.Contains(states, word) {
				wrong = append(wrong, fmt.Errorf("%s has the state %q", key, word))
			}
		}
	}
	if _, ok := p.families[prefix+"up"]; !ok {
		wrong = append(wrong, errors.New("kafka_retention_up is missing"))
	}
	return errors.Join(wrong...)
}

// checkCounters checks that no counter has fallen since the last page that had it.
func (c *Checker) checkCounters(families map[string]*dto.MetricFamily) error {
	var wrong []error
	for name, f := range families {
		if f.GetType() != dto.MetricType_COUNTER || !strings.HasPrefix(name, prefix) {
			continue
		}
		for _, m := range f.GetMetric() {
			key := series(name, m)
			if value(m) < c.counters[key] {
				wrong = append(wrong, fmt.Errorf("%s fell from %f to %f", key, c.counters[key], value(m)))
			}
			c.counters[key] = value(m)
		}
	}
	return errors.Join(wrong...)
}

// lostPair is what a page says of a pair that is lost.
type lostPair struct {
	at, counter, position float64
	placed                bool // the position is told: by topic it is not
}

// recovered tells that the pair may have recovered since the page before, and been lost again: the
// group has committed another position. Where positions are not told, more is counted lost.
func (l lostPair) recovered(before lostPair) bool {
	if l.placed && before.placed {
		return l.position != before.position
	}
	return l.counter != before.counter
}

// checkLost checks that the instant of a loss does not move while the pair stays lost.
func (c *Checker) checkLost(p *page) error {
	var wrong []error
	now := map[pair]lostPair{}
	for key, words := range p.states {
		if !slices.Contains(words, "lost") {
			continue
		}
		v := p.pairs[key]
		l := lostPair{at: v[loss], counter: v["lost_records_total"]}
		l.position, l.placed = v["committed_offset"]
		now[key] = l
		if before, ok := c.lost[key]; ok && !same(before.at, l.at) && !l.recovered(before) {
			wrong = append(wrong, fmt.Errorf("%s: lost at %f on the page before, at %f now", key, before.at, l.at))
		}
	}
	c.lost = now
	return errors.Join(wrong...)
}

func series(name string, m *dto.Metric) string {
	parts := []string{}
	for _, l := range m.GetLabel() {
		parts = append(parts, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
	}
	return name + "{" + strings.Join(parts, ",") + "}"
}
