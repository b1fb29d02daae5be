package sim

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// rules are the limits that act.
func rules() []Family {
	const axis = track.RuleAxis
	return []Family{
		{Name: "time", Axis: axis, Tuned: true, often: 4, set: limited(track.ByTime)},
		{Name: "size", Axis: axis, often: 2, set: limited(track.BySize)},
		{Name: "both", Axis: axis, Tuned: true, often: 2, set: limited(track.ByBoth)},
		{Name: "time_below_segment_ms", Axis: axis, often: 1, set: belowSegmentMs},
		{Name: "compact_delete", Axis: axis, set: compactDelete},
		{Name: "delete_records", Axis: axis, Tuned: true, set: deleteRecords},
	}
}

func limited(rule track.Rule) func(*draw) {
	return func(d *draw) {
		d.Rule = rule
		d.Settings = model.DefaultSettings()
	}
}

// belowSegmentMs keeps records for less than a segment takes to roll by time.
func belowSegmentMs(d *draw) {
	limited(track.ByTime)(d)
	if d.Regime == RolledByTime {
		d.Regime = Giant
	}
}

// compactDelete is a compacted topic with a time limit; its passes follow the cleaner's.
func compactDelete(d *draw) {
	limited(track.ByTime)(d)
	d.Settings.Policy = model.PolicyCompactDelete
}

// deleteRecords moves the log start besides retention.
func deleteRecords(d *draw) {
	limited([]track.Rule{track.ByTime, track.ByTime, track.BySize}[d.Intn(3)])(d)
	at := d.Start
	for {
		at = at.Add(d.share(0.15, 1.2))
		if at >= d.end() {
			return
		}
		d.incident(Incident{At: at, Kind: RecordsAreDeleted, Times: d.between(0.02, 0.8)})
	}
}

// incident adds one, with what it means for forecasts across it.
func (d *draw) incident(i Incident) {
	d.Incidents = append(d.Incidents, i)
	if c, ok := i.Kind.cause(); ok {
		d.event(i.At, c)
	}
}
