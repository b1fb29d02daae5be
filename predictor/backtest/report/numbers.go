package report

import (
	"math"
	"strconv"
	"strings"

	"kafka-retention-exporter/predictor/backtest/score"
)

// none stands for a figure that there is none of.
const none = "-"

// format writes a value.
type format func(float64) string

// percent writes a share with as many digits as tell something.
func percent(v float64) string {
	p := 100 * v
	switch a := math.Abs(p); {
	case v >= infinite:
		return "unlimited"
	case p == 0 || p == 100:
		return trim(p, 0) + " %"
	case a >= 101:
		return trim(p, 0) + " %"
	case a >= 99:
		return trim(p, 2) + " %"
	case a >= 10:
		return trim(p, 1) + " %"
	case a >= 0.1:
		return trim(p, 2) + " %"
	}
	return strconv.FormatFloat(p, 'g', 2, 64) + " %"
}

// infinite is more than any share that is one.
const infinite = 1e6

// relative writes an error relative to the time left; the largest one stands for no answer of use.
func relative(v float64) string {
	if v > 9.98 {
		return "never"
	}
	return percent(v)
}

// hours writes a share of the retention as hours of one of a day.
func hours(v float64) string { return trim(24*v, 2) + " h" }

// checks writes a number of check intervals as seconds of the default one.
func checks(v float64) string { return trim(300*v, 0) + " s" }

// number writes a plain one.
func number(v float64) string { return trim(v, 3) }

// micros writes milliseconds as microseconds.
func micros(v float64) string { return trim(1000*v, 1) + " µs" }

func trim(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// value writes a figure without its limits.
func (f format) value(x score.Figure) string {
	if !x.Known() {
		return none
	}
	return f(x.Value)
}

// limits writes a figure with them.
func (f format) limits(x score.Figure) string {
	if !x.Known() {
		return none
	}
	low, high := f(x.Low), f(x.High)
	// One unit for both.
	if l, unit, ok := strings.Cut(low, " "); ok && strings.HasSuffix(high, " "+unit) {
		low = l
	}
	return f(x.Value) + " (" + low + " to " + high + ")"
}
