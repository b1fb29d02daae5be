package exporter

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// risk is how urgent a pair is. The edges are those of the shipped alerts: a warning within
// min(24 h, half the retention), a page within min(4 h, a sixth of it).
type risk int

const (
	riskLost risk = iota + 1
	riskNow
	riskSoon
	riskUnknown
	riskSafe
)

const (
	warnWithin = model.Millis(24 * 3_600_000)
	pageWithin = model.Millis(4 * 3_600_000)
	warnPart   = 2
	pagePart   = 6
)

func risks() []risk { return []risk{riskLost, riskNow, riskSoon, riskUnknown, riskSafe} }

// String is the word in URLs and CSS classes.
func (r risk) String() string {
	switch r {
	case riskLost:
		return "lost"
	case riskNow:
		return "now"
	case riskSoon:
		return "soon"
	case riskUnknown:
		return "unknown"
	case riskSafe:
		return "safe"
	}
	return "invalid"
}

// says is the word on the page.
func (r risk) says() string {
	switch r {
	case riskLost:
		return "lost records"
	case riskNow:
		return "act now"
	}
	return r.String()
}

func riskOf(f predictor.Forecast, now model.Instant) risk {
	at, paced, ok := deadlineOf(f)
	switch {
	case isLost(f):
		return riskLost
	case !ok:
		return riskUnknown
	}
	left := at.Sub(now)
	age, timed := f.Inputs.RetentionMs.Get()
	within := func(most model.Millis, part model.Millis) bool {
		if timed {
			most = min(most, age/part)
		}
		return left <= most
	}
	switch {
	case within(pageWithin, pagePart) && paced:
		return riskNow
	case within(warnWithin, warnPart) && paced:
		return riskSoon
	case !paced:
		return riskUnknown
	}
	return riskSafe
}
