package security

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/endtoend"
)

// degradation is what is to be seen of a program that lacks one of the rights.
type degradation struct {
	name     string // of the right, in README and docs/rights.md
	lacks    right  // one of those that README gives
	needs    right  // or one more, where the flags ask for it
	flags    []string
	gone     func(series string) bool
	reason   string // why pairs or groups are unknown
	unknown  int    // how many of them
	hidden   map[string]float64
	warned   []string
	interval int64 // between the broker's checks, in ms, that forecasts reckon with; 0 is the real one

	program *endtoend.Program
	cure    func()
}

// degradations are the rows of the table of rights.
func degradations() []degradation {
	kinds := len(readers())
	return []degradation{
		{
			name: "Describe on a topic", lacks: right{resource: kmsg.ACLResourceTypeTopic, do: kmsg.ACLOperationDescribe},
			gone: ofClosedTopic, reason: "no_commit", unknown: kinds - 1, warned: []string{"TOPIC_AUTHORIZATION_FAILED"}, hidden: map[string]float64{"topics": 1},
		},
		{
			name: "Describe on a group", lacks: right{resource: kmsg.ACLResourceTypeGroup, do: kmsg.ACLOperationDescribe},
			gone: about(`consumergroup="shut`), reason: "unreadable", unknown: kinds, warned: []string{"GROUP_AUTHORIZATION_FAILED"},
			hidden: map[string]float64{"groups": float64(kinds)},
		},
		{
			name: "DescribeConfigs on a topic", lacks: right{resource: kmsg.ACLResourceTypeTopic, do: kmsg.ACLOperationDescribeConfigs},
			gone: withoutSettings, reason: "config_unreadable", unknown: kinds, warned: []string{"TOPIC_AUTHORIZATION_FAILED"},
		},
		{
			name: "Describe on the cluster", lacks: right{resource: kmsg.ACLResourceTypeCluster, do: kmsg.ACLOperationDescribe},
			gone: withoutSizes, reason: "size_unreadable", unknown: 1, warned: []string{"CLUSTER_AUTHORIZATION_FAILED"},
		},
		{
			name: "DescribeConfigs on the cluster", lacks: right{resource: kmsg.ACLResourceTypeCluster, do: kmsg.ACLOperationDescribeConfigs},
			gone:   func(series string) bool { return begins(series, "group_offsets_expire_timestamp_seconds{") },
			warned: []string{"CLUSTER_AUTHORIZATION_FAILED"}, interval: 300_000,
		},
		{
			name: "Read on " + model.OffsetsTopic + " for --offsets.topic", flags: []string{"--offsets.topic"},
			needs: right{kmsg.ACLResourceTypeTopic, model.OffsetsTopic, kadm.ACLPatternLiteral, kmsg.ACLOperationRead},
			gone:  func(string) bool { return false }, warned: []string{"TOPIC_AUTHORIZATION_FAILED"},
		},
		{
			name: "Read on the group of --cluster.group", flags: []string{"--cluster.group=" + dividers},
			needs: right{kmsg.ACLResourceTypeGroup, dividers, kadm.ACLPatternLiteral, kmsg.ACLOperationRead},
			gone:  ofTheWork, warned: []string{"GROUP_AUTHORIZATION_FAILED"},
		},
	}
}

// dividers is the group by which exporters divide the cluster, where they do.
const dividers = "retention-exporters"

// degrade starts one program for each row; a right on everything is replaced by the same right on
// all but the closed topic or group.
func (s *secured) degrade(t *testing.T, rights []right) []degradation {
	t.Helper()
	rows := degradations()
	for i := range rows {
		row := &rows[i]
		user := "without-" + strings.ReplaceAll(row.name, " ", "-")
		s.addUsers(user)
		for _, r := range rights {
			if r.resource != row.lacks.resource || r.do != row.lacks.do {
				s.grant(t, "User:"+user, r)
				continue
			}
			row.cure = func() { s.grant(t, "User:"+user, r) }
			s.grant(t, "User:"+user, allButClosed(r)...)
		}
		switch {
		case row.cure != nil:
		case row.needs != right{}:
			row.cure = func() { s.grant(t, "User:"+user, row.needs) }
		default:
			t.Fatalf("the rights that README gives lack %s: %v", row.name, rights)
		}
		row.program = s.run(t, s.sasl, userPassword, append(s.as(user), row.flags...)...)
	}
	return rows
}

// allButClosed narrows a right on every topic or group.
func allButClosed(r right) (narrow []right) {
	open := map[kmsg.ACLResourceType][]string{kmsg.ACLResourceTypeTopic: {"open", "sized"}, kmsg.ACLResourceTypeGroup: {}}
	for kind := range readers() {
		open[kmsg.ACLResourceTypeGroup] = append(open[kmsg.ACLResourceTypeGroup], "readers"+kind)
	}
	for _, name := range open[r.resource] {
		narrow = append(narrow, right{r.resource, name, r.pattern, r.do})
	}
	return narrow
}

// ofClosedTopic is what nobody can tell who may not see the topic. Its groups look like such that have
// committed nothing; the one without members is not even that.
func ofClosedTopic(series string) bool {
	return strings.Contains(series, `topic="closed"`) || begins(series, `group_offsets_expire_timestamp_seconds{consumergroup="shut`)
}

func about(label string) func(string) bool {
	return func(series string) bool { return strings.Contains(series, label) }
}

// withoutSettings is what nobody can tell of a topic whose settings are hidden: offsets, lag and size
// stay. When a volume is full depends on all that it holds.
func withoutSettings(series string) bool {
	for kind := range readers() {
		if slices.Contains(endtoend.ForecastSeries("shut"+kind, "closed", 0), series) {
			return true
		}
	}
	return begins(series, "volume_full_timestamp_seconds{") ||
		strings.Contains(series, `topic="closed"`) && begins(series, "topic_", "partition_next_deletion_", "group_state{")
}

// withoutSizes is what nobody can tell without sizes: where retention.bytes acts, all that depends
// on it.
func withoutSizes(series string) bool {
	if begins(series, "partition_size_bytes{", "partition_next_deletion_bytes{", "volume_") {
		return true
	}
	byTime := begins(series, "group_next_record_timestamp_seconds{")
	return slices.Contains(endtoend.ForecastSeries("readers", "sized", 0), series) && !byTime ||
		strings.Contains(series, `topic="sized"`) && begins(series, "partition_next_deletion_", `topic_finding{finding="active_exceeds_cap"`)
}

// ofTheWork is what an exporter without a part of the work leaves to the others; when volumes fill
// nobody tells who has only a part of the cluster.
func ofTheWork(series string) bool {
	return strings.Contains(series, `topic="`) || strings.Contains(series, `consumergroup="`) || begins(series, "volume_full_")
}

// isRequests tells of a series that it counts what was sent: more or less of that is nothing that is missing.
func isRequests(series string) bool { return begins(series, "kafka_requests_total{") }

func begins(series string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(series, name) })
}

// check compares the program's page with the one of a program that has all rights: what README says
// is missing is, and nothing else.
func (d degradation) check(t *testing.T, everything endtoend.Page) {
	var page endtoend.Page
	var lacking []string
	for end := time.Now().Add(endtoend.Patience); ; time.Sleep(200 * time.Millisecond) {
		page = d.program.Scrape()
		lacking = slices.DeleteFunc(without(everything, page), func(series string) bool { return d.gone(series) || isRequests(series) })
		if len(lacking) == 0 || time.Now().After(end) {
			break
		}
	}
	if len(lacking) > 0 {
		t.Errorf("not there without %v, though README does not say so: %v", d.name, lacking)
	}
	for series := range page {
		if d.gone(series) {
			t.Errorf("%s is there without %v", series, d.name)
		}
	}
	if more := slices.DeleteFunc(without(page, everything), isRequests); len(more) > 0 {
		t.Errorf("there is more with fewer rights: %v", more)
	}
	for _, reason := range []string{"unreadable", "config_unreadable", "size_unreadable", "stale", "no_commit"} {
		want := 0.0
		if reason == d.reason {
			want = float64(d.unknown)
		}
		if got := page[`forecasts_unknown{reason="`+reason+`"}`]; got != want {
			t.Errorf("%g forecasts are unknown with reason %s, want %g", got, reason, want)
		}
	}
	for _, kind := range []string{"topics", "groups"} {
		if got, want := page[`hidden{kind="`+kind+`"}`], d.hidden[kind]; got != want {
			t.Errorf("%g %s are hidden, want %g", got, kind, want)
		}
	}
	d.checkFloors(t, everything, page)
	if got := warned(d.program); !slices.Equal(got, d.warned) {
		t.Errorf("the log warns of %q, want one line for each of %q:\n%s", got, d.warned, d.program.Log())
	}
	if log := d.program.Log(); strings.Count(log, missingRight) != 1 || !strings.Contains(log, missingRight+strconv.Quote(d.name)) {
		t.Errorf("the log does not report %q, and it alone, as missing:\n%s", d.name, log)
	}
}

// checkFloors wants the same promises as with all rights, on whatever check interval the rest stands.
func (d degradation) checkFloors(t *testing.T, everything, page endtoend.Page) {
	t.Helper()
	for series, floor := range page {
		if begins(series, endtoend.FloorMetric) && math.Abs(floor-everything[series]) > 1 {
			t.Errorf("%s is %f without %v and %f with it", series, floor, d.name, everything[series])
		}
	}
	for _, pair := range d.program.Report().Pairs {
		want := max(d.interval, 1000)
		if got := pair.Inputs.CheckInterval; pair.Topic == "open" && (got == nil || *got != want) {
			t.Errorf("the check interval is taken for %v, want %d", got, want)
		}
	}
}
