package sim

import (
	"math"
	"math/rand"

	"kafka-retention-exporter/model"
)

// Durations, in milliseconds.
const (
	second = model.Millis(1000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// Shape is how much is produced at an instant, relative to any mean. It is a function of the
// instant alone.
type Shape func(model.Instant) float64

// Flat is a constant rate.
func Flat(model.Instant) float64 { return 1 }

// Daily swings by a share around the mean once a day, fullest at the given time of the day.
func Daily(swing float64, peak model.Millis) Shape {
	return func(t model.Instant) float64 {
		return 1 + swing*math.Cos(2*math.Pi*float64(model.Millis(t)-peak)/float64(day))
	}
}

// Weekly is daily with weekends at a share of that.
func Weekly(swing, weekend float64, peak model.Millis) Shape {
	daily := Daily(swing, peak)
	return func(t model.Instant) float64 {
		if (int64(t)/int64(day)+3)%7 >= 5 { // 1970 began on a Thursday
			return weekend * daily(t)
		}
		return daily(t)
	}
}

// NightIdle is daily with nothing at all for some time of each day.
func NightIdle(idle, from model.Millis) Shape {
	return func(t model.Instant) float64 {
		if (model.Millis(t)-from)%day < idle {
			return 0
		}
		return 1
	}
}

// Growing gains a share every day from an instant on.
func Growing(share float64, from model.Instant) Shape {
	return func(t model.Instant) float64 {
		return math.Pow(1+share, float64(t.Sub(from))/float64(day))
	}
}

// interval is a stretch of time.
type interval struct{ from, to model.Instant }

func within(all []interval, t model.Instant) bool {
	for _, i := range all {
		if t >= i.from && t < i.to {
			return true
		}
	}
	return false
}

// Bursting is a rate of 1 with intervals of many times that.
func Bursting(times float64, bursts []interval) Shape {
	return func(t model.Instant) float64 {
		if within(bursts, t) {
			return times
		}
		return 1
	}
}

// burstsBetween draws bursts: so many a retention, each some share of it long.
func burstsBetween(r *rand.Rand, from, to model.Instant, retention model.Millis) []interval {
	var all []interval
	for t := from; ; {
		t = t.Add(model.Millis(r.ExpFloat64() * float64(retention) / 4))
		if t >= to {
			return all
		}
		length := model.Millis((0.002 + 0.01*r.Float64()) * float64(retention))
		all = append(all, interval{t, t.Add(length)})
	}
}

// mean is the mean of a shape over a stretch of time.
func (s Shape) mean(from, to model.Instant) float64 {
	const samples = 3000
	sum := 0.0
	for i := range samples {
		sum += s(from.Add(to.Sub(from) / samples * model.Millis(i)))
	}
	return sum / samples
}
