package baseline

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// left is the headroom: how many offsets the log start is behind the group.
func left(s track.Seen) float64 { return float64(s.Committed - s.Start) }

// headroom divides the headroom by the rate at which it shrank.
func headroom(t Terms) estimator {
	w := window{span: t.Retention / 96}
	return func(s track.Seen) model.Maybe[model.Instant] {
		now := left(s)
		w.add(s.At, now)
		then := w.first()
		if then.at == s.At {
			return unknown()
		}
		return reaches(s.At, now, (now-then.value)/float64(s.At.Sub(then.at)))
	}
}

// predictLinear is where a least squares line through the headroom of a share of the retention
// meets 0.
func predictLinear(share model.Millis) func(Terms) estimator {
	return func(t Terms) estimator {
		w := window{span: t.Retention / share}
		return func(s track.Seen) model.Maybe[model.Instant] {
			w.add(s.At, left(s))
			level, slope, ok := w.line(s.At)
			if !ok {
				return unknown()
			}
			return reaches(s.At, level, slope)
		}
	}
}

// reaches is when a line falls to 0; Forever if it does not fall.
func reaches(at model.Instant, level, slope float64) model.Maybe[model.Instant] {
	switch {
	case level <= 0:
		return model.Known(at)
	case slope >= 0:
		return model.Known(model.Forever)
	}
	return after(at, level/-slope)
}
