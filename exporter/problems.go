package exporter

import (
	"cmp"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"kafka-retention-exporter/model"
)

// quietPolls is how many polls a cause must be absent from before it counts as over: something
// that fails every second time is one trouble, not many.
const quietPolls = 2

// The causes that are no error of any request, yet leave nothing to watch.
const (
	noGroupsVisible = "no_groups_visible"
	noGroupsWatched = "no_groups_watched"
)

// pairLimit is the cause where not every pair has series.
const pairLimit = "pair_limit"

// trouble is one cause over all its stages, brokers, topics and polls.
type trouble struct {
	since  model.Instant
	absent int // polls in a row without it
}

// problemLog writes one line when a cause appears and one when it is over, however many polls
// and partitions it lasts for. The counters beside it are poll_failures_total.
type problemLog struct {
	logger *slog.Logger
	open   map[string]trouble
	rights rightsReport
}

func newProblemLog(logger *slog.Logger) *problemLog {
	return &problemLog{logger: logger, open: map[string]trouble{}}
}

// note takes in the outcome of one poll.
func (l *problemLog) note(s *state) {
	l.rights.note(l.logger, s)
	found := byCause(s)
	for _, cause := range slices.Sorted(maps.Keys(found)) {
		before, known := l.open[cause]
		if !known {
			l.logger.Warn(found[cause].message(), found[cause].args(cause)...)
			before.since = s.snapshot.At
		}
		l.open[cause] = trouble{since: before.since}
	}
	for _, cause := range slices.Sorted(maps.Keys(l.open)) {
		if _, still := found[cause]; !still {
			l.missed(cause, s.snapshot.At)
		}
	}
}

// missed counts a poll without the cause and ends it when there were enough of them.
func (l *problemLog) missed(cause string, now model.Instant) {
	t := l.open[cause]
	if t.absent++; t.absent < quietPolls {
		l.open[cause] = t
		return
	}
	delete(l.open, cause)
	l.logger.Info("No longer so", "cause", cause, "after", now.Sub(t.since).Duration().Round(time.Second))
}

// finding is what one poll says about one cause.
type finding struct {
	stages  []string
	brokers []model.BrokerID
	count   int
	detail  string // the first error, for people
	text    string // the message, where it is not about something unread
}

// byCause puts the problems of a poll together by cause.
func byCause(s *state) map[string]finding {
	found := map[string]finding{}
	for _, p := range s.problems {
		f := found[p.Cause]
		f.stages = addOnce(f.stages, string(p.Stage))
		if p.HasBroker {
			f.brokers = addOnce(f.brokers, p.Broker)
		}
		f.count += max(1, p.Count)
		f.detail = cmp.Or(f.detail, p.Detail)
		found[p.Cause] = f
	}
	if cause, ok := nothingToWatch(s); ok {
		found[cause] = finding{count: s.snapshot.GroupsSeen, text: nothingText(s.snapshot.GroupsSeen)}
	}
	if n := len(s.cut); n > 0 {
		found[pairLimit] = finding{count: n, text: "Pairs without series: there are more than --metrics.max-pairs"}
	}
	return found
}

// nothingToWatch tells the two ways in which all is well and yet no group is watched. An empty
// list may also mean missing rights (an empty answer proves nothing), so it is said aloud.
func nothingToWatch(s *state) (cause string, ok bool) {
	if !s.snapshot.Portion.Whole() {
		return "", false // the groups may all be with others
	}
	if !s.snapshot.Reached || failedStages(s.problems)[model.StageGroups] || len(s.snapshot.Groups) > 0 {
		return "", false
	}
	if s.snapshot.GroupsSeen == 0 {
		return noGroupsVisible, true
	}
	return noGroupsWatched, true
}

func addOnce[T cmp.Ordered](list []T, v T) []T {
	at, found := slices.BinarySearch(list, v)
	if found {
		return list
	}
	return slices.Insert(list, at, v)
}

func (f finding) message() string { return cmp.Or(f.text, "Could not read everything") }

func nothingText(seen int) string {
	if seen == 0 {
		return "0 groups visible: there are none, or DESCRIBE on groups or the cluster is missing"
	}
	return "0 groups watched: the group filters let none through"
}

func (f finding) args(cause string) []any {
	args := []any{"cause", cause}
	if len(f.stages) > 0 {
		args = append(args, "stages", strings.Join(f.stages, ","))
	}
	if len(f.brokers) > 0 {
		args = append(args, "brokers", f.brokers)
	}
	args = append(args, "count", f.count)
	if f.detail != "" {
		args = append(args, "err", f.detail)
	}
	return args
}
