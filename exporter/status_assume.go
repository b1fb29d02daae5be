package exporter

import (
	"fmt"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// assumptions are what a forecast takes for granted, in plain words.
func assumptions(f predictor.Forecast, log predictor.Log, known bool, now model.Instant) []string {
	out := []string{"The group goes on as it does now. " + motion(f)}
	if !known {
		return append(out, "What the log looks like inside is not known at present.")
	}
	out = append(out, limits(log.Settings)...)
	out = append(out, borders(log))
	if log.Check > 0 {
		pass := fmt.Sprintf("The broker looks for what it may delete every %s", lastingMillis(log.Check))
		if log.NextPass > now {
			pass += ", next in about " + inWords(float64(log.NextPass.Sub(now))/1000)
		}
		out = append(out, pass+".")
	}
	promise := "“Safe until” is a promise for as long as nobody changes the settings or deletes records by request, no replica that is ahead becomes leader, no election is unclean and no index is damaged"
	if _, sized := log.Settings.SizeLimit(); sized {
		promise += ", and never much more is produced than was seen so far"
	}
	return append(out, promise+".")
}

// limits are the rules that may act on a log.
func limits(s model.Settings) (out []string) {
	if age, ok := s.TimeLimit(); ok {
		stamps := "the producers’ own stamps"
		if s.TimestampType == model.LogAppendTime {
			stamps = "the stamps the broker gives at arrival"
		}
		out = append(out, fmt.Sprintf("By time a segment goes as a whole, at the first pass after its newest record is %s old, by %s.", lastingMillis(age), stamps))
	}
	if size, ok := s.SizeLimit(); ok {
		out = append(out, fmt.Sprintf("By size the oldest segment goes once the log without it still has %s.", bytesText(size)))
	}
	if len(out) == 0 {
		out = append(out, "No limit is in force: cleanup.policy is "+s.Policy.String()+".")
	}
	if s.Policy.Compacts() {
		out = append(out, "The topic is compacted as well: records may also go because a newer one has their key.")
	}
	if s.Tiered {
		out = append(out, "The topic is tiered: the limits are those of the whole log, the remote part included.")
	}
	return out
}

func borders(log predictor.Log) string {
	if log.Laid {
		return "Where segments begin is not read from the disk but followed from the log start by the broker’s own rules of rolling; a border may be off by a batch."
	}
	return "Where segments begin is known only in part yet; the last one drawn stands for several."
}
