package exporter

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// inWords prints seconds in the two largest units that people use for them.
func inWords(s float64) string {
	if s < 1 {
		return "1 second"
	}
	if s >= 1000*86400 {
		return fmt.Sprintf("%.0f years", s/86400/365.25)
	}
	units := []struct {
		name    string
		seconds int64
	}{{"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}}
	for i, u := range units {
		if i+1 == len(units) {
			return plural(int64(math.Round(s)), u.name)
		}
		small := units[i+1]
		n := int64(math.Round(s/float64(small.seconds))) * small.seconds // so that 59.7 min is an hour
		if n < u.seconds {
			continue
		}
		if rest := n % u.seconds / small.seconds; rest > 0 {
			return plural(n/u.seconds, u.name) + " " + plural(rest, small.name)
		}
		return plural(n/u.seconds, u.name)
	}
	return ""
}

// inShort is inWords with the units abbreviated, for tables.
func inShort(s float64) string {
	units := strings.NewReplacer(" days", " d", " day", " d", " hours", " h", " hour", " h", " minutes", " min", " minute", " min", " seconds", " s", " second", " s")
	return units.Replace(inWords(s))
}

func lastingMillis(d model.Millis) string {
	if d < 1000 {
		return plural(int64(d), "millisecond")
	}
	return inWords(float64(d) / 1000)
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// grouped prints a number with its thousands apart.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign, digits := digits[:len(digits)-len(strings.TrimPrefix(digits, "-"))], strings.TrimPrefix(digits, "-")
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// sized prints bytes in a binary unit.
func sized(b float64) string {
	for _, unit := range []string{"bytes", "KiB", "MiB", "GiB", "TiB"} {
		if b < 1024 {
			return fmt.Sprintf("%.3g %s", b, unit)
		}
		b /= 1024
	}
	return fmt.Sprintf("%.3g PiB", b)
}

// perSecond prints a rate of offsets in the unit in which it is a number people can imagine.
func perSecond(rate float64) string {
	switch {
	case rate >= 100:
		return grouped(int64(math.Round(rate))) + " a second"
	case rate >= 1 || rate == 0:
		return fmt.Sprintf("%.3g a second", rate)
	case rate*60 >= 1:
		return fmt.Sprintf("%.3g a minute", rate*60)
	}
	return fmt.Sprintf("%.3g an hour", rate*3600)
}

func spaced(word string) string { return strings.ReplaceAll(word, "_", " ") }

func stateText(s predictor.State) string {
	switch s {
	case predictor.Lost:
		return "stands below the log start: what it would read next is gone"
	case predictor.Rewound:
		return "was set back, and its pace since then is not known yet"
	case predictor.Rebalancing:
		return "is sharing out its partitions among its members"
	case predictor.Batch:
		return "reads now and then, and is on time by its own rhythm"
	case predictor.Empty:
		return "has no members"
	case predictor.CaughtUp:
		return "keeps up"
	case predictor.Stalled:
		return "has not advanced for longer than it usually waits"
	case predictor.Progressing:
		return "is behind and reads on"
	}
	return "is in a state that is not known"
}

func reasonText(r predictor.Reason) string {
	switch r {
	case predictor.NoCommit:
		return "The group has not committed an offset here yet."
	case predictor.ExpiredPosition:
		return "The broker has dropped the group's committed offset."
	case predictor.Stale:
		return "What the forecast stands on could not be read lately."
	case predictor.Unreadable:
		return "Offsets of the log or of the group could not be read."
	case predictor.ConfigUnreadable:
		return "The settings of the topic could not be read."
	case predictor.SizeUnreadable:
		return "A size limit is set, and sizes could not be read."
	case predictor.NoTimestamps:
		return "The records have no timestamps."
	case predictor.NotEnoughHistory:
		return "The group's pace is not known yet: it takes two advances."
	case predictor.BeyondEnd:
		return "The group's position is above the end of the log."
	case predictor.Recreated:
		return "The position is of an older topic of this name."
	case predictor.SingleOffsetGap:
		return "One offset is gone, and it may have been a transaction marker."
	case predictor.UnsupportedGroup:
		return "The broker does not tell where this group stands, or not whether it has read what is gone."
	case predictor.BrokerUnverified:
		return "The broker has not been seen to keep the rules."
	case predictor.Limit:
		return "A limit of this program was reached."
	}
	return "Why is not known."
}
