package exporter

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// pairText is one pair in words.
type pairText struct {
	Group, Topic     string
	Partition        int32
	URL              string // of its own page
	GroupURL         string // of the pairs of the group, and of the topic
	TopicURL         string
	Risk             string // CSS class
	Left             string // the time left, or what there is instead
	Short            string // the same for a table
	Saying           string // what happens then, to follow Left
	Sure             bool   // Loss is forecast; otherwise only what happens to a group that stands still
	State            string
	Rule             string // the rule that will act, with its limit
	Why              string
	Lag, Used        string
	Loss             moment
	Earliest, Latest moment
	Floor            moment
	Command, Effect  string // what buys time
	Bar              bar
}

func pairTextOf(f predictor.Forecast, v *view) pairText {
	now := v.report.At
	t := pairText{
		Group: labelValue(f.Key.Group), Topic: labelValue(f.Key.Topic), Partition: f.Key.Partition,
		URL:      pairURL(f.Key),
		GroupURL: filter{Group: f.Key.Group}.with("page", ""), TopicURL: filter{Topic: f.Key.Topic}.with("page", ""),
		Risk: riskOf(f, now).String(), Rule: ruleText(f), Why: why(f, now), Lag: "unknown", Used: "unknown",
		Earliest: momentMaybe(f.Earliest), Latest: momentMaybe(f.Latest), Floor: momentMaybe(f.Floor),
	}
	at, paced, ok := deadlineOf(f)
	t.Sure = paced
	t.Left, t.Saying = timeLeft(f, now)
	t.Short = t.Left
	if ok && at != model.Forever && at > now && !isLost(f) {
		t.Short = inShort(float64(at.Sub(now)) / 1000)
	}
	if t.Loss = (moment{Text: "unknown"}); ok {
		t.Loss = momentOf(at)
	}
	if state, ok := f.State.Get(); ok {
		t.State = spaced(state.String())
	}
	if lag, ok := f.Lag.Get(); ok {
		t.Lag = grouped(int64(lag))
	}
	if used, ok := f.Used.Get(); ok {
		t.Used = fmt.Sprintf("%.0f %%", used*100)
	}
	if v.fresh.since(inputsAt(f, now)) {
		t.Command, t.Effect = moreTime(f)
		t.Bar = barOf(f)
	}
	return t
}

// moreTime is the command that buys time, and what it does.
func moreTime(f predictor.Forecast) (command, effect string) {
	room, ok := advice.MoreTime(f.Key.Topic, f.Inputs.RetentionMs, f.Inputs.RetentionBytes)
	if !ok {
		return "", ""
	}
	var words []string
	if more, ok := room.Age.Get(); ok {
		words = append(words, "keeps records for "+lastingMillis(more)+" instead of "+known(f.Inputs.RetentionMs, lastingMillis))
	}
	if more, ok := room.Size.Get(); ok {
		words = append(words, "lets each partition grow to "+bytesText(more)+" instead of "+known(f.Inputs.RetentionBytes, bytesText))
	}
	return room.Command, strings.Join(words, ", and ")
}

func inputsAt(f predictor.Forecast, reported model.Instant) model.Instant {
	if at, ok := f.InputsAt.Get(); ok {
		return at
	}
	return reported
}

// pairURL is relative, since a proxy may serve the exporter under a path of its own. The name is
// the group's own, which may hold any bytes.
func pairURL(key model.PairKey) string {
	return "./pair?" + url.Values{
		"group": {key.Group}, "topic": {key.Topic}, "partition": {strconv.Itoa(int(key.Partition))},
	}.Encode()
}

// timeLeft is the time until a loss in words, and what happens then.
func timeLeft(f predictor.Forecast, now model.Instant) (left, saying string) {
	at, paced, ok := deadlineOf(f)
	switch {
	case isLost(f) && f.LostOffsets > 0:
		return "lost " + grouped(f.LostOffsets), "offsets were deleted before it read them"
	case isLost(f):
		return "lost", "records were deleted before it read them, and before this program saw it"
	case !ok:
		return "unknown", "whether and when it loses records cannot be told"
	case at == model.Forever:
		return "no loss in sight", ""
	case at <= now:
		return "due", "the next pass of the broker may delete records it has not read"
	}
	left = inWords(float64(at.Sub(now)) / 1000)
	if !paced {
		return left, "until it loses unread records if it stands still"
	}
	return left, "until it loses unread records"
}

// ruleText names the rule that will delete the position, with its limit.
func ruleText(f predictor.Forecast) string {
	rule, ok := f.Rule.Get()
	switch {
	case !ok:
		return ""
	case rule == predictor.BySize:
		if limit, ok := f.Inputs.RetentionBytes.Get(); ok {
			return "by size: retention.bytes is " + sized(float64(limit))
		}
		return "by size"
	}
	if limit, ok := f.Inputs.RetentionMs.Get(); ok {
		return "by time: retention.ms is " + lastingMillis(limit)
	}
	return "by time"
}

// why is what brings the loss about, or keeps it away, in a sentence or two.
func why(f predictor.Forecast, now model.Instant) string {
	if reason, ok := f.Reason.Get(); ok {
		return reasonText(reason) + runway(f, now)
	}
	if isLost(f) {
		return lostWhy(f)
	}
	loss, ok := f.Loss.Get()
	switch {
	case !ok:
		return ""
	case loss == model.Forever:
		return safeWhy(f, now)
	}
	return standing(f, now) + " " + motion(f)
}

func lostWhy(f predictor.Forecast) string {
	position, p := f.Position.Get()
	start, s := f.Inputs.LogStart.Get()
	if !p || !s || position >= start {
		return "It has not committed an offset above the log start since."
	}
	return fmt.Sprintf("It stands at offset %s, and the log starts at %s.", grouped(int64(position)), grouped(int64(start)))
}

func safeWhy(f predictor.Forecast, now model.Instant) string {
	stopped, known := f.Stopped.Get()
	lag, told := f.Lag.Get()
	switch {
	case known && stopped == model.Forever:
		return "Nothing that it has not read is going to be deleted by age or size."
	case told && lag == 0:
		return "It has read everything." + runway(f, now)
	}
	return "It catches up before retention does." + runway(f, now)
}

// runway is what would happen if the group stopped now.
func runway(f predictor.Forecast, now model.Instant) string {
	stopped, ok := f.Stopped.Get()
	if !ok || stopped == model.Forever {
		return ""
	}
	if stopped <= now {
		return " If it stops, the next pass of the broker deletes what it has not read."
	}
	return " If it stopped now, it would have " + inWords(float64(stopped.Sub(now))/1000) + "."
}

// standing is how far the limit that acts is used up.
func standing(f predictor.Forecast, now model.Instant) string {
	if rule, ok := f.Rule.Get(); ok && rule == predictor.BySize {
		unread, known := f.Inputs.BytesUnread.Get()
		if !known {
			return "What is behind its next record grows towards the limit."
		}
		return "From its next record on there are " + sized(float64(unread)) + " in the log."
	}
	stamp, known := f.NextStamp.Get()
	switch {
	case !known:
		return "Its next record approaches the limit."
	case stamp > now:
		return "Its next record is stamped in the future."
	}
	return "Its next record is " + lastingMillis(now.Sub(stamp)) + " old."
}

// motion is how the group moves, against what arrives.
func motion(f predictor.Forecast) string {
	if state, ok := f.State.Get(); ok && (state == predictor.Stalled || state == predictor.Empty || state == predictor.Rebalancing) {
		return "The group " + stateText(state) + "."
	}
	pace, ok := f.Inputs.Pace.Get()
	if !ok {
		return ""
	}
	out := "The group reads " + perSecond(pace)
	if produced, ok := f.Inputs.ProduceRate.Get(); ok && !math.IsInf(produced, 0) {
		out += ", and " + perSecond(produced) + " arrive"
	}
	return out + "."
}
