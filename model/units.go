package model

import (
	"math"
	"strconv"
	"time"
)

// Offset is a position in a partition's log; a committed offset is the next one to be read.
type Offset int64

// Bytes is a size on disk as the broker counts it: the .log files only, as stored.
type Bytes int64

// Millis is a duration in whole milliseconds, the unit of every comparison a broker makes.
type Millis int64

// Instant is a moment in milliseconds since 1970 on the brokers' clock; record stamps are Instants too.
type Instant int64

// Forever is later than every instant a broker compares with: what is due then is never due.
const Forever Instant = math.MaxInt64

// Add moves an instant by a duration and stops at the ends of the range instead of wrapping
// around: retention.ms may legally be 2^63-1.
func (t Instant) Add(d Millis) Instant {
	switch sum := int64(t) + int64(d); {
	case d > 0 && sum < int64(t):
		return Forever
	case d < 0 && sum > int64(t):
		return math.MinInt64
	default:
		return Instant(sum)
	}
}

// Sub is the time from u to t, again stopping at the ends of the range.
func (t Instant) Sub(u Instant) Millis {
	d := int64(t) - int64(u)
	switch {
	case t > u && d < 0:
		return math.MaxInt64
	case t < u && d > 0:
		return math.MinInt64
	default:
		return Millis(d)
	}
}

// Before reports whether t is earlier than u.
func (t Instant) Before(u Instant) bool { return t < u }

// String prints an instant for people: RFC 3339 with milliseconds, or the infinity sign.
func (t Instant) String() string {
	if t == Forever {
		return "∞"
	}
	return time.UnixMilli(int64(t)).UTC().Format("2006-01-02T15:04:05.000Z")
}

// InstantOf converts from the standard library's clock.
func InstantOf(t time.Time) Instant { return Instant(t.UnixMilli()) }

// MillisOf converts from the standard library's duration, rounding towards zero.
func MillisOf(d time.Duration) Millis { return Millis(d.Milliseconds()) }

// Duration converts to the standard library's duration, stopping at its largest value.
func (d Millis) Duration() time.Duration {
	if d > math.MaxInt64/Millis(time.Millisecond) {
		return math.MaxInt64
	}
	return time.Duration(d) * time.Millisecond
}

// String prints the offset as a plain number.
func (o Offset) String() string { return strconv.FormatInt(int64(o), 10) }
