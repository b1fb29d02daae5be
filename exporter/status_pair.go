package exporter

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// statusPair is what the page of one pair shows.
type statusPair struct {
	statusFrame
	Found       bool
	Asked       string
	Pair        *pairText
	Saying      string // how the group stands
	Lost        *lostStory
	Log         logPicture
	Race        racePicture
	Assumptions []string
	Inputs      []input
	Findings    []advice.Finding
}

// servePair answers with the page of the pair that the query names.
func (p *statusPages) servePair(w http.ResponseWriter, req *http.Request) {
	v := p.runtime.view()
	q := req.URL.Query()
	f, ok := findPair(v, q)
	if !ok {
		asked := labelValue(q.Get("group")) + " on " + labelValue(q.Get("topic")) + ", partition " + labelValue(q.Get("partition"))
		p.send(w, req, http.StatusNotFound, "status_pair.html", statusPair{statusFrame: p.frame(v, "No such pair"), Asked: asked})
		return
	}
	text := pairTextOf(f, v)
	page := statusPair{
		statusFrame: p.frame(v, fmt.Sprintf("%s on %s, partition %d", text.Group, text.Topic, text.Partition)),
		Found:       true, Pair: &text, Lost: lostStoryOf(f), Inputs: inputsOf(f, v),
	}
	if state, ok := f.State.Get(); ok {
		page.Saying = "The group " + stateText(state) + "."
	}
	for _, finding := range v.findings {
		if finding.Topic == f.Key.Topic {
			page.Findings = append(page.Findings, finding)
		}
	}
	log, known := p.logOf(f, v)
	if known {
		page.Log, page.Race = logPictureOf(f, log, v.report.At), racePictureOf(f, log, v.report.At)
	}
	page.Assumptions = assumptions(f, log, known, v.report.At)
	p.send(w, req, http.StatusOK, "status_pair.html", page)
}

// findPair finds a pair by its names, as they are or as labels show them.
func findPair(v *view, q url.Values) (predictor.Forecast, bool) {
	partition, err := strconv.ParseInt(q.Get("partition"), 10, 32)
	if err != nil || v.report == nil {
		return predictor.Forecast{}, false
	}
	for i := range v.report.Pairs {
		key := v.report.Pairs[i].Key
		if key.Partition == int32(partition) && key.Topic == q.Get("topic") &&
			(key.Group == q.Get("group") || labelValue(key.Group) == q.Get("group")) {
			return v.fresh.forecast(v.report.Pairs[i], v.report.At), true
		}
	}
	return predictor.Forecast{}, false
}

// logOf is the log as the predictor believes it to be; ok is false where its readings are too old
// to be shown.
func (p *statusPages) logOf(f predictor.Forecast, v *view) (predictor.Log, bool) {
	if !v.informed() || !v.fresh.since(inputsAt(f, v.report.At)) {
		return predictor.Log{}, false
	}
	for _, l := range p.runtime.predictor.Logs(f.Key.Topic, v.report.At) {
		if l.Key == f.Key.PartitionKey {
			return l, len(l.Segments) > 0
		}
	}
	return predictor.Log{}, false
}

// lostStory tells people who do not run Kafka what is gone and what a restart would do.
type lostStory struct {
	Gone    string
	When    moment
	Choices []string
	Reset   string // the command line that goes on from the log start
}

func lostStoryOf(f predictor.Forecast) *lostStory {
	if !isLost(f) {
		return nil
	}
	s := &lostStory{When: momentMaybe(f.Loss)}
	position, p := f.Position.Get()
	start, st := f.Inputs.LogStart.Get()
	if !p || !st || position >= start {
		s.Gone = "Records were deleted before the group read them."
		return s
	}
	s.Gone = fmt.Sprintf("Offsets %s to %s, %s, were deleted before the group read them (an upper bound of records).",
		grouped(int64(position)), grouped(int64(start-1)), plural(int64(start-position), "offset"))
	s.Choices = []string{fmt.Sprintf("Restarted with auto.offset.reset=earliest it reads on from offset %s and misses no more.", grouped(int64(start)))}
	if end, ok := f.Inputs.End.Get(); ok && end > start {
		s.Choices = append(s.Choices, fmt.Sprintf("With latest it skips %s more, which are still there.", plural(int64(end-start), "offset")))
	}
	s.Reset = fmt.Sprintf("kafka-consumer-groups.sh --bootstrap-server \"$BOOTSTRAP\" --group '%s' --topic %s:%d --reset-offsets --to-earliest --execute",
		labelValue(f.Key.Group), f.Key.Topic, f.Key.Partition)
	return s
}

// input is one thing that a forecast stands on.
type input struct{ Name, Value string }

func inputsOf(f predictor.Forecast, v *view) []input {
	in := f.Inputs
	out := []input{
		{"Committed offset", known(f.Position, offsetText)},
		{"Unread offsets", known(f.Lag, offsetText)},
		{"Unread bytes", known(in.BytesUnread, bytesText)},
		{"Newest stamp up to the next unread record", momentMaybe(f.NextStamp).Text},
		{"Share of retention used", known(f.Used, func(u float64) string { return fmt.Sprintf("%.1f %%", u*100) })},
		{"Log start offset", known(in.LogStart, offsetText)},
		{"High watermark", known(in.End, offsetText)},
		{"Size of the log", known(in.Size, bytesText)},
		{"Segment of the position", segmentText(in)},
		{"retention.ms in force", limitText(in.RetentionMs, lastingMillis)},
		{"retention.bytes in force", limitText(in.RetentionBytes, bytesText)},
		{"Interval of the passes", known(in.CheckInterval, lastingMillis)},
		{"Pace of the group", known(in.Pace, perSecond)},
		{"Offsets that arrive", known(in.ProduceRate, perSecond)},
		{"Bytes that arrive", known(in.ByteRate, func(r float64) string { return sized(r) + " a second" })},
		{"State of the group, as its coordinator tells", wordOr(in.GroupState)},
		{"Leader", known(in.Leader, func(b model.BrokerID) string { return "broker " + strconv.Itoa(int(b)) })},
		{"If it stopped now, it would lose records", momentMaybe(f.Stopped).Text},
		{"Unread offsets that a failover would cost", known(f.FailoverExposed, offsetText)},
		{"Offsets lost since this program started", grouped(f.LostOffsets)},
		{"Position read", momentMaybe(f.PositionAt).Text},
		{"Oldest of the other readings", momentMaybe(f.InputsAt).Text},
	}
	if expire, ok := v.report.Groups[f.Key.Group]; ok {
		out = append(out, input{"The group's positions may expire", momentMaybe(expire.OffsetsExpire).Text})
	}
	return out
}

func known[T any](m model.Maybe[T], text func(T) string) string {
	if v, ok := m.Get(); ok {
		return text(v)
	}
	return "unknown"
}

func limitText[T any](m model.Maybe[T], text func(T) string) string {
	if v, ok := m.Get(); ok {
		return text(v)
	}
	return "none, or not known"
}

func offsetText(o model.Offset) string { return grouped(int64(o)) }

func bytesText(b model.Bytes) string { return sized(float64(b)) }

func segmentText(in predictor.Inputs) string {
	base, ok := in.SegmentBase.Get()
	next, closed := in.SegmentEnd.Get()
	switch {
	case !ok:
		return "unknown"
	case !closed:
		return "from " + offsetText(base) + ", the active one as far as is known"
	}
	return "from " + offsetText(base) + " to " + offsetText(next-1)
}

func wordOr(word string) string {
	if word == "" {
		return "unknown"
	}
	return word
}
