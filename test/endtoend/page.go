package endtoend

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Page is one scrape: the value of every series, by its text without the prefix
// kafka_retention_, its labels in the order of their names:
//
//	page[`up`], page[`topic_retention_seconds{topic="orders"}`]
type Page map[string]float64

// Patience bounds the waits for what only a program that hangs leaves undone.
const Patience = time.Minute

// Keep is how long a value is served that could not be read again: three polls of a second, never less
// than ten seconds.
const Keep = 10 * time.Second

// Series that most tests look at, the first three for Of.
const (
	FloorMetric   = "group_stopped_loss_floor_timestamp_seconds"
	StoppedMetric = "group_stopped_loss_timestamp_seconds"
	LossMetric    = "group_loss_timestamp_seconds"
	StaleSeries   = `forecasts_unknown{reason="stale"}`
)

// Scrape reads /metrics, holds it against the invariants and returns its samples; none while
// nobody answers.
func (p *Program) Scrape() Page {
	body, ok := p.Get("/metrics")
	if !ok {
		return nil
	}
	if err := p.check.Check(bytes.NewReader(body)); err != nil {
		p.t.Errorf("scraped page: %v", err)
	}
	page := Page{}
	for line := range strings.Lines(string(body)) {
		series, value, found := cutLast(strings.TrimSpace(line), " ")
		name, ours := strings.CutPrefix(series, "kafka_retention_")
		if number, err := strconv.ParseFloat(value, 64); found && ours && err == nil {
			page[name] = number
		}
	}
	return page
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// Await scrapes ten times a second until a page is as expected and returns it; the test fails
// with the text and the last page if that takes longer than patience.
func (p *Program) Await(t testing.TB, what string, patience time.Duration, expected func(Page) bool) Page {
	t.Helper()
	var page Page
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if page = p.Scrape(); page != nil && expected(page) {
			return page
		}
	}
	t.Fatalf("%s did not come to pass within %v; the page:\n%s", what, patience, page)
	return nil
}

// AwaitPolls waits until that many more polls have ended.
func (p *Program) AwaitPolls(t testing.TB, n float64) Page {
	t.Helper()
	before := p.Scrape()["polls_total"]
	return p.Await(t, fmt.Sprintf("the end of %g polls", n), Patience, func(page Page) bool { return page["polls_total"] >= before+n })
}

// Has tells whether all the given series are there.
func (p Page) Has(series ...string) bool {
	return !slices.ContainsFunc(series, func(s string) bool { _, there := p[s]; return !there })
}

// Any tells whether one of the given series is there.
func (p Page) Any(series ...string) bool {
	return slices.ContainsFunc(series, func(s string) bool { _, there := p[s]; return there })
}

// Lost is how many records all groups together have lost.
func (p Page) Lost() (sum float64) {
	for series, v := range p {
		if strings.HasPrefix(series, "group_lost_records_total{") {
			sum += v
		}
	}
	return sum
}

// Mentioning lists the series that have a text in them.
func (p Page) Mentioning(text string) (series []string) {
	for s := range p {
		if strings.Contains(s, text) {
			series = append(series, s)
		}
	}
	slices.Sort(series)
	return series
}

// String is the page in the order of its names, histograms and counters of requests left out.
func (p Page) String() string {
	var b strings.Builder
	for _, s := range slices.Sorted(maps.Keys(p)) {
		if !strings.Contains(s, "_bucket{") && !strings.HasPrefix(s, "kafka_requests_total") {
			fmt.Fprintf(&b, "%s %s\n", s, strconv.FormatFloat(p[s], 'f', -1, 64))
		}
	}
	return b.String()
}

// Of is a series of a pair, like Of("group_lag_records", "readers", "orders", 0).
func Of(metric, group, topic string, partition int) string {
	return fmt.Sprintf(`%s{consumergroup=%q,partition="%d",topic=%q}`, metric, group, partition, topic)
}

// OfPartition is a series of a partition.
func OfPartition(metric, topic string, partition int) string {
	return fmt.Sprintf(`%s{partition="%d",topic=%q}`, metric, partition, topic)
}

// ForecastSeries are what is said of where a pair's data will go.
func ForecastSeries(group, topic string, partition int) []string {
	var all []string
	for _, metric := range []string{
		"group_loss_timestamp_seconds", "group_loss_earliest_timestamp_seconds", "group_loss_latest_timestamp_seconds",
		"group_stopped_loss_timestamp_seconds", "group_stopped_loss_floor_timestamp_seconds", "group_time_to_loss_seconds",
		"group_retention_used_ratio", "group_next_record_timestamp_seconds",
	} {
		all = append(all, Of(metric, group, topic, partition))
	}
	return all
}

// LogSeries are what can be said of a pair only with fresh news of its log.
func LogSeries(group, topic string, partition int) []string {
	return append(ForecastSeries(group, topic, partition), Of("group_lag_records", group, topic, partition),
		OfPartition("partition_log_start_offset", topic, partition), OfPartition("partition_end_offset", topic, partition))
}
