package invariants

import (
	"fmt"
	"math"
)

const (
	loss     = "loss_timestamp_seconds"
	earliest = "loss_earliest_timestamp_seconds"
	latest   = "loss_latest_timestamp_seconds"
	stopped  = "stopped_loss_timestamp_seconds"
	floor    = "stopped_loss_floor_timestamp_seconds"
	left     = "time_to_loss_seconds"
	used     = "retention_used_ratio"
	lag      = "lag_records"
)

// checkPairs checks what the series of one pair say about each other.
func checkPairs(p *page) (wrong []error) {
	withoutLoss := 0.0
	for key, v := range p.pairs {
		for _, problem := range pairProblems(v, p.states[key]) {
			wrong = append(wrong, fmt.Errorf("%s: %s", key, problem))
		}
		if _, ok := v[loss]; !ok {
			withoutLoss++
		}
	}
	counted := 0.0
	for _, n := range p.reasons {
		counted += n
	}
	if counted < withoutLoss { // more is right: groups whose partitions are unknown count too
		wrong = append(wrong, fmt.Errorf("%g pairs without loss instant, forecasts_unknown counts only %g", withoutLoss, counted))
	}
	return wrong
}

func pairProblems(v map[string]float64, states []string) (wrong []string) {
	complain := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	for _, order := range [][2]string{{floor, stopped}, {floor, earliest}, {earliest, loss}, {loss, latest}} {
		a, okA := v[order[0]]
		b, okB := v[order[1]]
		complain(!okA || !okB || notLater(a, b), "%s %f is later than %s %f", order[0], a, order[1], b)
	}
	_, hasLoss := v[loss]
	_, hasLeft := v[left]
	complain(hasLeft == hasLoss, "%s and %s must be there together", left, loss)
	complain(!hasLoss || math.IsInf(v[loss], 1) == math.IsInf(v[left], 1), "%s %f beside %s %f", loss, v[loss], left, v[left])
	_, counted := v["lost_records_total"]
	complain(counted, "lost_records_total is missing")
	complain(len(states) <= 1, "more than one state: %v", states)
	if len(states) == 1 && states[0] == "lost" {
		return append(wrong, lostProblems(v)...)
	}
	return append(wrong, unlostProblems(v)...)
}

// lostProblems checks a pair in state lost: all five instants are the one instant of the loss.
func lostProblems(v map[string]float64) (wrong []string) {
	for _, name := range []string{earliest, latest, stopped, floor} {
		if got, ok := v[name]; !ok || !same(got, v[loss]) {
			wrong = append(wrong, fmt.Sprintf("lost, but %s is %f (there: %t) and %s is %f", name, got, ok, loss, v[loss]))
		}
	}
	if math.IsInf(v[loss], 0) {
		wrong = append(wrong, "lost, but "+loss+" is infinite")
	}
	if v[left] != 0 {
		wrong = append(wrong, fmt.Sprintf("lost, but %s is %f", left, v[left]))
	}
	if ratio, ok := v[used]; ok && ratio < 1 {
		wrong = append(wrong, fmt.Sprintf("lost, but %s is %f", used, ratio))
	}
	return wrong
}

// unlostProblems checks a pair that has nothing unread: no loss in sight.
func unlostProblems(v map[string]float64) (wrong []string) {
	if unread, ok := v[lag]; !ok || unread != 0 {
		return nil
	}
	for _, name := range []string{loss, earliest, latest} {
		if got, ok := v[name]; ok && !math.IsInf(got, 1) {
			wrong = append(wrong, fmt.Sprintf("nothing unread, but %s is %f", name, got))
		}
	}
	if ratio, ok := v[used]; ok && ratio != 0 {
		wrong = append(wrong, fmt.Sprintf("nothing unread, but %s is %f", used, ratio))
	}
	return wrong
}
