package endtoend

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// degradation is a program that lacks one of the rights.
type degradation struct {
	name    string // of the right, in README
	program *Program
	lacks   right
	cure    func()
	// what is to be seen of it
	gone     func(series string) bool
	reason   string // of one pair or group
	warned   []string
	interval int64 // between the broker's checks, in ms, that forecasts reckon with; 0 is the real one
}

// degradations starts one program for each row of README's table of rights; a right on everything is
// replaced by the same right on all but the closed topic or group.
func (s *secured) degradations(t *testing.T, rights []right) map[string]degradation {
	t.Helper()
	rows := map[string]degradation{
		"Describe on a topic": {lacks: right{resource: kmsg.ACLResourceTypeTopic, do: kmsg.ACLOperationDescribe}, gone: about(`topic="closed"`)},
		"Describe on a group": {
			lacks: right{resource: kmsg.ACLResourceTypeGroup, do: kmsg.ACLOperationDescribe}, gone: about(`consumergroup="shut"`),
			reason: "unreadable", warned: []string{"GROUP_AUTHORIZATION_FAILED"},
		},
		"DescribeConfigs on a topic": {
			lacks: right{resource: kmsg.ACLResourceTypeTopic, do: kmsg.ACLOperationDescribeConfigs}, gone: withoutSettings,
			reason: "config_unreadable", warned: []string{"TOPIC_AUTHORIZATION_FAILED"},
		},
		"Describe on the cluster": {
			lacks: right{resource: kmsg.ACLResourceTypeCluster, do: kmsg.ACLOperationDescribe}, gone: withoutSizes,
			reason: "size_unreadable", warned: []string{"CLUSTER_AUTHORIZATION_FAILED"},
		},
		"DescribeConfigs on the cluster": {
			lacks: right{resource: kmsg.ACLResourceTypeCluster, do: kmsg.ACLOperationDescribeConfigs}, gone: func(string) bool { return false },
			warned: []string{"CLUSTER_AUTHORIZATION_FAILED"}, interval: 300_000,
		},
	}
	for name := range rows {
		if !strings.Contains(Readme(t), "\n| "+name+" | ") {
			t.Errorf("README does not say what is missing without %s", name)
		}
	}
	for name, row := range rows {
		user := "without-" + strings.ReplaceAll(name, " ", "-")
		s.addUsers(user)
		for _, r := range rights {
			if r.resource != row.lacks.resource || r.do != row.lacks.do {
				s.grant(t, "User:"+user, r)
				continue
			}
			row.cure = func() { s.grant(t, "User:"+user, r) }
			s.grant(t, "User:"+user, allButClosed(r)...)
		}
		if row.cure == nil {
			t.Fatalf("the rights that README gives lack %s: %v", name, rights)
		}
		row.name = name
		row.program = s.run(t, s.sasl, userPassword, s.as(user)...)
		rows[name] = row
	}
	return rows
}

// allButClosed narrows a right on every topic or group.
func allButClosed(r right) (narrow []right) {
	open := map[kmsg.ACLResourceType][]string{kmsg.ACLResourceTypeTopic: {"open", "sized"}, kmsg.ACLResourceTypeGroup: {"readers"}}
	for _, name := range open[r.resource] {
		narrow = append(narrow, right{r.resource, name, r.pattern, r.do})
	}
	return narrow
}

func about(label string) func(string) bool {
	return func(series string) bool { return strings.Contains(series, label) }
}

// withoutSettings is what nobody can tell of a topic whose settings are hidden: offsets, lag and size
// stay. When a volume is full depends on all that it holds.
func withoutSettings(series string) bool {
	return slices.Contains(forecastSeries("shut", "closed", 0), series) || begins(series, "volume_full_timestamp_seconds{") ||
		strings.Contains(series, `topic="closed"`) && begins(series, "topic_", "partition_next_deletion_", "group_state{")
}

// withoutSizes is what nobody can tell without sizes: where retention.bytes acts, all that depends
// on it.
func withoutSizes(series string) bool {
	if begins(series, "partition_size_bytes{", "partition_next_deletion_bytes{", "volume_") {
		return true
	}
	byTime := begins(series, "group_next_record_timestamp_seconds{")
	return slices.Contains(forecastSeries("readers", "sized", 0), series) && !byTime ||
		strings.Contains(series, `topic="sized"`) && begins(series, "partition_next_deletion_", `topic_finding{finding="active_exceeds_cap"`)
}

func begins(series string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(series, name) })
}

// check compares the program's page with the one of a program that has all rights: what README says
// is missing is, and nothing else.
func (d degradation) check(t *testing.T, everything Page) {
	var page Page
	var lacking []string
	for end := time.Now().Add(scrapePatience); ; time.Sleep(200 * time.Millisecond) {
		page = d.program.Scrape()
		lacking = slices.DeleteFunc(without(everything, page), d.gone)
		if len(lacking) == 0 || time.Now().After(end) {
			break
		}
	}
	if len(lacking) > 0 {
		t.Errorf("not there without %v, though README does not say so: %v", d.lacks, lacking)
	}
	for series := range page {
		if d.gone(series) {
			t.Errorf("%s is there without %v", series, d.lacks)
		}
	}
	if more := without(page, everything); len(more) > 0 {
		t.Errorf("there is more with fewer rights: %v", more)
	}
	for _, reason := range []string{"unreadable", "config_unreadable", "size_unreadable", "stale", "no_commit"} {
		want := 0.0
		if reason == d.reason {
			want = 1
		}
		if got := page[`forecasts_unknown{reason="`+reason+`"}`]; got != want {
			t.Errorf("%g forecasts are unknown with reason %s, want %g", got, reason, want)
		}
	}
	d.checkFloors(t, everything, page)
	if got := d.program.warned(); !slices.Equal(got, d.warned) {
		t.Errorf("the log warns of %q, want one line for each of %q:\n%s", got, d.warned, d.program.Log())
	}
	if log := d.program.Log(); strings.Count(log, missingRight) != 1 || !strings.Contains(log, missingRight+strconv.Quote(d.name)) {
		t.Errorf("the log does not report %q, and it alone, as missing:\n%s", d.name, log)
	}
}

// checkFloors wants the same promises as with all rights, on whatever check interval the rest stands.
func (d degradation) checkFloors(t *testing.T, everything, page Page) {
	t.Helper()
	for series, floor := range page {
		if begins(series, floorMetric) && math.Abs(floor-everything[series]) > 1 {
			t.Errorf("%s is %f without %v and %f with it", series, floor, d.lacks, everything[series])
		}
	}
	for _, pair := range d.program.report().Pairs {
		want := max(d.interval, 1000)
		if got := pair.Inputs.CheckInterval; pair.Topic == "open" && (got == nil || *got != want) {
			t.Errorf("the check interval is taken for %v, want %d", got, want)
		}
	}
}
