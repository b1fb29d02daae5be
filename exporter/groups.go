package exporter

import (
	"math"
	"strconv"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

var (
	groupCommitted = pairGauge("group_committed_offset",
		"The position: the committed offset, which is the next offset the group would read; of a share group where it starts, which is a lower bound.")
	groupLag = pairGauge("group_lag_records",
		"Offsets from the position, or the log start if that is higher, to the high watermark.")
	groupNextStamp = pairGauge("group_next_record_timestamp_seconds",
		"Newest stamp from the log start up to and including the next unread record; absent when nothing is unread.")
	groupUsed = pairGauge("group_retention_used_ratio",
		"Share of the retention used before the next unread record: of retention.ms by age or of retention.bytes by size, whichever is larger. 0 when nothing is unread; above 1 is overdue.")
	groupLoss = pairGauge("group_loss_timestamp_seconds",
		"Best estimate of the instant the log start passes the position, the group moving as it does now; +Inf when no loss is in sight, in the past when already lost.")
	groupEarliest = pairGauge("group_loss_earliest_timestamp_seconds",
		"Lower edge of the 90 % band of the loss instant.").onlyFull()
	groupLatest = pairGauge("group_loss_latest_timestamp_seconds",
		"Upper edge of the 90 % band of the loss instant.")
	groupStopped = pairGauge("group_stopped_loss_timestamp_seconds",
		"Best estimate of the loss instant if the group stopped reading now.")
	groupFloor = pairGauge("group_stopped_loss_floor_timestamp_seconds",
		"The promise: if the group stopped now, nothing it has not read is deleted before this instant; the clock tolerance is already subtracted. Under retention.bytes it assumes a producer no faster than 1.5 times the fastest seen.").onlyFull()
	groupTimeToLoss = pairGauge("group_time_to_loss_seconds",
		"Loss instant minus the time of the poll, for people; 0 once lost. kafka_retention_group_loss_timestamp_seconds is authoritative.")
	groupClosest = pairGauge("group_closest_approach_seconds",
		"Of a group that has something to read and will make it, the least time that is left on the way: until the expected deadline of each segment when the group leaves it, or of the position where it keeps up or waits for its next run.").onlyFull()
	groupState = pairGauge("group_state",
		"Constant 1; the label tells how the group stands on the partition.", "state")
	groupExposed = pairGauge("group_failover_exposed_records",
		"Unread offsets that would be gone if the in-sync replica that is furthest ahead became leader. Absent when followers cannot be asked.")
	groupLost = counter("group_lost_records_total",
		"Offsets deleted before the group read them, an upper bound of records.", pairLabels()...)
)

func groupFamilies() []*family {
	return []*family{
		groupCommitted, groupLag, groupNextStamp, groupUsed, groupLoss, groupEarliest, groupLatest,
		groupStopped, groupFloor, groupTimeToLoss, groupClosest, groupState, groupExposed, groupLost, groupExpiry, groupTold,
	}
}

// pairLabels are the labels under which the exporters that people already run know a pair.
func pairLabels() []string { return []string{"consumergroup", "topic", "partition"} }

func pairGauge(name, help string, more ...string) *family {
	return gauge(name, help, append(pairLabels(), more...)...)
}

// groups sends where each group stands on each partition, or on each topic as a whole.
func (v *view) groups(out samples) {
	for f := range v.rows(out.shape) {
		labels := []string{"consumergroup", labelValue(f.Key.Group), "topic", labelValue(f.Key.Topic)}
		if !out.shape.byTopic() {
			labels = append(labels, "partition", strconv.Itoa(int(f.Key.Partition)))
		}
		v.group(out, f, labelled(labels...))
	}
	v.offsetsExpiry(out)
	v.told(out)
}

func (v *view) group(out samples, f predictor.Forecast, labels *labelSet) {
	integer(out, groupCommitted, f.Position, labels)
	integer(out, groupLag, f.Lag, labels)
	out.instant(groupNextStamp, f.NextStamp, labels)
	if used, ok := f.Used.Get(); ok {
		out.number(groupUsed, used, labels)
	}
	out.instant(groupLoss, f.Loss, labels)
	out.instant(groupEarliest, f.Earliest, labels)
	out.instant(groupLatest, f.Latest, labels)
	out.instant(groupStopped, f.Stopped, labels)
	out.instant(groupFloor, f.Floor, labels)
	if left, ok := timeToLoss(f, v.report.At); ok {
		out.number(groupTimeToLoss, left, labels)
	}
	if left, ok := f.Closest.Get(); ok {
		out.number(groupClosest, float64(left)/1000, labels)
	}
	if state, ok := f.State.Get(); ok {
		out.number(groupState, 1, labels.and("state", state.String()))
	}
	integer(out, groupExposed, f.FailoverExposed, labels)
	out.number(groupLost, float64(f.LostOffsets), labels)
}

// timeToLoss is the time from the poll to the loss in seconds, never negative.
func timeToLoss(f predictor.Forecast, polled model.Instant) (left float64, ok bool) {
	loss, ok := f.Loss.Get()
	switch {
	case !ok:
		return 0, false
	case isLost(f):
		return 0, true
	case loss == model.Forever:
		return math.Inf(1), true
	}
	return float64(max(0, loss.Sub(polled))) / 1000, true
}
