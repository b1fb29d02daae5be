package sim

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// infrastructure is what befalls brokers, topic and exporter.
func infrastructure() []Family {
	const axis = track.InfraAxis
	return []Family{
		{Name: "broker_restart", Axis: axis, Tuned: true, often: 1, set: brokerRestart},
		{Name: "leader_change", Axis: axis, set: leaderChange},
		{Name: "retention_lowered", Axis: axis, Tuned: true, set: retentionChange(0.3, 0.9)},
		{Name: "retention_raised", Axis: axis, set: retentionChange(1.1, 3)},
		{Name: "segment_bytes_changed", Axis: axis, Tuned: true, set: segmentBytesChange},
		{Name: "recreated", Axis: axis, set: recreation},
		{Name: "exporter_restarts", Axis: axis, Tuned: true, often: 2, set: exporterRestarts},
		{Name: "missed_polls", Axis: axis, often: 2, set: missedPolls},
		{Name: "clock_2s", Axis: axis, Tuned: true, often: 1, set: clockOff(2 * second)},
		{Name: "clock_60s", Axis: axis, set: clockOff(60 * second)},
		{Name: "tiered", Axis: axis, set: tiered},
	}
}

// during is an instant of the watch, up to a share of it.
func (d *draw) during(to float64) model.Instant {
	return d.Start.Add(model.Millis(d.between(0.1, to) * float64(d.Watch)))
}

// slowPolls lets some polls take so long that what befalls the brokers falls between two reads.
func (d *draw) slowPolls() {
	if d.oneIn(3) {
		d.Exporter.Takes = d.Exporter.Poll / 2
	}
}

func brokerRestart(d *draw) {
	d.slowPolls()
	d.incident(Incident{At: d.during(0.8), Kind: BrokerRestarts, Down: model.Millis(d.between(10, 240) * float64(second))})
}

func leaderChange(d *draw) {
	d.slowPolls()
	d.Replicated = true
	d.incident(Incident{At: d.during(0.8), Kind: LeaderChanges})
}

func retentionChange(from, to float64) func(*draw) {
	return func(d *draw) {
		d.incident(Incident{At: d.during(0.7), Kind: RetentionChanges, Times: d.between(from, to)})
	}
}

func segmentBytesChange(d *draw) {
	times := d.between(0.25, 0.6)
	if d.oneIn(2) {
		times = d.between(1.5, 4)
	}
	d.incident(Incident{At: d.during(0.7), Kind: SegmentBytesChange, Times: times})
}

func recreation(d *draw) {
	d.slowPolls()
	d.incident(Incident{At: d.during(0.5), Kind: TopicIsRecreated})
}

// exporterRestarts is one at every so many hours, each with some polls missing, with a state file
// or without.
func exporterRestarts(d *draw) {
	d.Exporter.Remember = d.oneIn(2)
	every := max(hour, d.share(0.04, 0.5))
	for at := d.Start.Add(every); at < d.end(); at = at.Add(every) {
		d.Exporter.Restarts = append(d.Exporter.Restarts, at)
		d.Exporter.Away = append(d.Exporter.Away, interval{at.Add(-model.Millis(d.between(0, 120) * float64(second))), at})
	}
}

// missedPolls are pauses of up to half an hour, or polls that read only some of what they should.
func missedPolls(d *draw) {
	if d.oneIn(2) {
		d.Exporter.Fails = d.between(0.01, 0.2)
	}
	for at := d.Start; at < d.end(); {
		at = at.Add(d.share(0.02, 0.3))
		length := model.Millis(d.between(1, 30) * float64(minute))
		d.Exporter.Away = append(d.Exporter.Away, interval{at, at.Add(length)})
		at = at.Add(length)
	}
}

func clockOff(most model.Millis) func(*draw) {
	return func(d *draw) { d.Exporter.Skew = model.Millis(d.between(-1, 1) * float64(most)) }
}

// tiered keeps the log in remote storage besides: there the limits of the whole log act.
func tiered(d *draw) {
	d.Tiered = true
	d.Settings.Tiered = d.Settings.Policy == model.PolicyDelete
}
