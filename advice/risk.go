package advice

import (
	"cmp"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Risk is a pair that has lost unread records or will lose some.
type Risk struct {
	predictor.Forecast
	// Deadline is the loss; where the group's pace is not known, that of a group that stands still.
	Deadline model.Instant
	Lost     bool
	// Paced is false where the deadline is only that of a group that stands still.
	Paced bool
}

// Risks are the pairs that are lost or lose records within a horizon, soonest first, and the
// pairs of which it cannot be told.
func Risks(report *predictor.Report, within model.Millis) (risks []Risk, unsure []predictor.Forecast) {
	if report == nil {
		return nil, nil
	}
	horizon := report.At.Add(within)
	for _, f := range report.Pairs {
		state, _ := f.State.Get()
		loss, known := f.Loss.Get()
		stopped, standing := f.Stopped.Get()
		switch {
		case known && loss <= horizon:
			risks = append(risks, Risk{f, loss, state == predictor.Lost, true})
		case known:
		case standing && stopped <= horizon:
			risks = append(risks, Risk{f, stopped, false, false})
		case !standing:
			unsure = append(unsure, f)
		}
	}
	slices.SortStableFunc(risks, func(a, b Risk) int { return cmp.Compare(a.Deadline, b.Deadline) })
	return risks, unsure
}
