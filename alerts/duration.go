package alerts

import (
	"strconv"
	"strings"
	"time"
)

// shortestWindow is the least time a window spans at any scale. A window must hold several
// scrapes, and a server in compressed time scrapes every second or two.
const shortestWindow = 10 * time.Second

// scaled is a duration of the rules at the scale asked for.
func (o Options) scaled(d time.Duration) time.Duration {
	return time.Duration(float64(d) * o.Scale).Round(time.Millisecond)
}

// window is a scaled duration that has to span several scrapes.
func (o Options) window(d time.Duration) time.Duration {
	return max(shortestWindow, o.scaled(d))
}

// promDuration writes a duration as Prometheus reads it: whole units only, the largest first.
func promDuration(d time.Duration) string {
	var out strings.Builder
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}, {time.Millisecond, "ms"}} {
		if n := d / unit.length; n > 0 {
			out.WriteString(strconv.FormatInt(int64(n), 10) + unit.name)
			d %= unit.length
		}
	}
	if out.Len() == 0 {
		return "0s"
	}
	return out.String()
}

// seconds writes a duration as a number of PromQL.
func seconds(d time.Duration) string { return number(d.Seconds()) }

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
