package exporter

import "fmt"

// auditText says how good past forecasts were.
func auditText(v *view) string {
	last := v.audited().Recent
	median, ok := last.Median.Get()
	if !ok {
		return "Audit of past forecasts: not scored yet."
	}
	late := "was never late"
	if last.Late > 0 {
		late = "was late " + plural(int64(last.Late), "time")
	}
	return fmt.Sprintf("Of the last %s, the floor %s; median error %s.", plural(int64(last.Scored), "deadline"), late, lastingMillis(median))
}
