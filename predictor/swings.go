package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// swingScales is how many spans of time the speed of a group is compared over: eight polls, and
// each four times the one before.
const swingScales = 5

// usualSwing is how much the speed is taken to differ from one span to the next, as a share of it,
// until it was seen.
const usualSwing = 0.1

// swings is how much the speed of a group goes up and down, over short spans and long ones. It
// tells a lasting change from the usual noise.
type swings [swingScales]swing

// swing is that of one span.
type swing struct {
	at       model.Instant // when the present span began, and where
	position model.Offset
	speed    float32 // in the span before, offsets per millisecond; 0 if there is none
	variance float32 // of the speed, as a share of it
	n        int32
}

func (s *swings) span(k int, poll model.Millis) model.Millis { return 8 * poll << (2 * k) }

// begin starts all spans anew: what comes is not to be compared with what was.
func (s *swings) begin(at model.Instant, position model.Offset) {
	for k := range s {
		s[k].at, s[k].position, s[k].speed = at, position, 0
	}
}

// advance takes in a position.
func (s *swings) advance(at model.Instant, position model.Offset, poll model.Millis) {
	for k := range s {
		if d := at.Sub(s[k].at); d >= s.span(k, poll) {
			s[k].close(float32(float64(position-s[k].position) / float64(d)))
			s[k].at, s[k].position = at, position
		}
	}
}

// close ends a span. One that differs from the one before by far more than usual is a lasting
// change rather, and counts as no more than three times the usual.
func (s *swing) close(speed float32) {
	if s.speed > 0 {
		off := (speed - s.speed) * 2 / (speed + s.speed)
		if s.n == 0 {
			s.variance = usualSwing * usualSwing
		}
		s.n = min(s.n+1, 15)
		s.variance += (min(off*off/2, 9*s.variance) - s.variance) / float32(s.n+1)
	}
	s.speed = speed
}

// of is the standard deviation of the speed over a span of time, as a share of it: that of the
// longest span that was seen often enough and is no longer. Over a longer one the ups and downs
// level out.
func (s *swings) of(d float64, poll model.Millis) float64 {
	k := 0
	for k+1 < swingScales && s[k+1].n >= 4 && float64(s.span(k+1, poll)) <= d {
		k++
	}
	if s[k].n == 0 {
		return usualSwing
	}
	share := min(1, float64(s.span(k, poll))/d)
	return math.Sqrt(float64(s[k].variance) * share)
}
