package collector_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

var update = flag.Bool("update", false, "write the table of requests into doc.go")

// requestRow is a line of the table of requests in doc.go. steady is how many such requests a
// poll sends in which nothing is due but what every poll needs, and all that may rest does, to the
// cluster of TestRequestTable; it is what "every poll" in the text is held to. restless is the same
// where nothing rests.
type requestRow struct {
	request, to, often, right string
	steady, restless          int
}

const everyPoll = "every poll"

func requestRows() []requestRow {
	return []requestRow{
		{"ApiVersions", "each broker", "after each new connection", "none", 0, 0},
		{"SaslHandshake", "each broker", "each login", "none", 0, 0},
		{"SaslAuthenticate", "each broker", "each login", "none", 0, 0},
		{"Metadata", "any broker", "MetadataEvery; at once after a sign of change", "DESCRIBE topic", 0, 0},
		{"DescribeConfigs", "each broker, for itself and the topics it holds", "ConfigsEvery; at once for new topics and replicas", "DESCRIBE_CONFIGS topic and cluster", 0, 0},
		{"ListOffsets -2", "leaders", "what does not rest; at once under a new leader", "DESCRIBE topic", 0, 3},
		{"Fetch", "leaders of __consumer_offsets", everyPoll + " with OffsetsTopic", "READ __consumer_offsets", 1, 1},
		{"ListGroups", "each broker", everyPoll, "DESCRIBE cluster, else DESCRIBE group", 3, 3},
		{"OffsetFetch", "coordinators, all their groups at once", everyPoll, "DESCRIBE group and topic", 3, 3},
		{"DescribeShareGroupOffsets", "coordinators of share groups, all of them at once", everyPoll, "DESCRIBE group and topic", 1, 1},
		{"FindCoordinator", "any broker", "after NOT_COORDINATOR", "DESCRIBE group", 0, 0},
		{"DescribeGroups", "coordinators", "DescribeEvery; after a rebalance", "DESCRIBE group", 0, 0},
		{"ConsumerGroupDescribe", "coordinators", "DescribeEvery; after a rebalance", "DESCRIBE group and its topics", 0, 0},
		{"StreamsGroupDescribe", "coordinators", "DescribeEvery; after a rebalance", "DESCRIBE group and its topics", 0, 0},
		{"ListOffsets -1, for sizes", "leaders", "under retention.bytes what does not rest, else SizesEvery", "DESCRIBE topic", 0, 1},
		{"DescribeLogDirs", "leaders; all brokers for volumes", "under retention.bytes what does not rest, else SizesEvery", "DESCRIBE cluster", 0, 1},
		{"ListOffsets -1", "leaders", everyPoll, "DESCRIBE topic", 3, 3},
		{"ListOffsets -2, for sizes", "leaders", "under retention.bytes what does not rest, else SizesEvery", "DESCRIBE topic", 0, 1},
		{"ListOffsets 0", "leaders", "when a log start has moved", "DESCRIBE topic", 0, 0},
		{"ListOffsets -4", "leaders of tiered topics", "with the log start", "DESCRIBE topic", 0, 1},
		{"ListOffsets -2, as debugger", "followers", "ReplicasEvery", "DESCRIBE topic", 0, 0},
		{"ListOffsets by time", "leaders", "RecordTimes", "DESCRIBE topic", 0, 0},
	}
}

// table is the rows as they stand in doc.go.
func table(rows []requestRow) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "request\tto\thow often\tright\n")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.request, r.to, r.often, r.right)
	}
	if err := w.Flush(); err != nil {
		panic(err) // a strings.Builder does not fail
	}
	var out strings.Builder
	for line := range strings.Lines(b.String()) {
		out.WriteString("//\t" + strings.TrimRight(line, " \n") + "\n")
	}
	return out.String()
}

// rowsOf names the requests of one poll as the table does, in the order they came in. A poll's
// first ListOffsets about a partition is the regular read of log starts, the last that of ends.
func rowsOf(requests []request) []string {
	var names []string
	sized := false
	for _, r := range requests {
		name := kmsg.NameForKey(int16(r.key))
		sized = sized || r.key == kmsg.DescribeLogDirs
		if q, ok := r.body.(*kmsg.ListOffsetsRequest); ok {
			name = offsetsRow(q, sized)
		}
		names = append(names, name)
	}
	// The read of ends before the log dirs is the one for sizes.
	last := slices.Index(names, "DescribeLogDirs")
	for i := range max(0, last) {
		if names[i] == "ListOffsets -1" {
			names[i] = "ListOffsets -1, for sizes"
		}
	}
	return names
}

func offsetsRow(q *kmsg.ListOffsetsRequest, sized bool) string {
	at := q.Topics[0].Partitions[0].Timestamp
	switch {
	case q.ReplicaID == -2:
		return "ListOffsets -2, as debugger"
	case at == -2 && sized:
		return "ListOffsets -2, for sizes"
	case at > 0:
		return "ListOffsets by time"
	}
	return fmt.Sprintf("ListOffsets %d", at)
}

func TestRequestTable(t *testing.T) {
	f := newFake(t)
	f.topic("plain", nil, 0, 1, 2)
	f.topic("limited", map[string]string{"retention.bytes": "1000"}, 0)
	f.topic("tiered", map[string]string{"remote.storage.enable": "true"}, 1)
	if _, err := f.admin.CreateTopic(t.Context(), 1, 3, nil, "replicated"); err != nil {
		t.Fatal(err)
	}
	groups := f.groupOnEachBroker()
	for group := range groups {
		f.commit(group, "plain", 0, 0)
	}
	groups["workers"], groups["flows"] = f.CoordinatorFor("workers"), f.CoordinatorFor("flows")
	f.knowsStreams()
	f.answer(kmsg.ListGroups, func(r kmsg.Request) kmsg.Response { return stableGroups(r, groups, f.CurrentNode()) })
	f.topic(model.OffsetsTopic, nil, 0)
	config := f.steady()
	config.OffsetsTopic = true
	c := newCollector(t, config)
	now := clock()

	f.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetFetch}, Err: kerr.NotCoordinator, Count: 1})
	seen := map[string]int{"ApiVersions": 1, "SaslHandshake": 1, "SaslAuthenticate": 1} // watch leaves them out; newFake has no login
	for _, name := range rowsOf(f.watch(func() { pollWhole(t, c, now) })) {
		seen[name]++
	}
	for _, name := range rowsOf(f.watch(func() { c.RecordTimes(t.Context(), now, []model.TimeQuestion{question("plain", 0, 500)}) })) {
		seen[name]++
	}
	restless, steady := map[string]int{}, map[string]int{}
	var last *model.Snapshot
	for _, name := range rowsOf(f.watch(func() { last = pollWhole(t, c, now) })) {
		restless[name]++
	}
	c.Attend(allRests(last))
	for _, name := range rowsOf(f.watch(func() { pollWhole(t, c, now) })) {
		steady[name]++
	}

	rows := requestRows()
	for _, row := range rows {
		if seen[row.request] == 0 {
			t.Errorf("%s is in the table and was not sent", row.request)
		}
		if steady[row.request] != row.steady || strings.HasPrefix(row.often, everyPoll) != (row.steady > 0) {
			t.Errorf("%s, %s: %d in a steady poll, want %d", row.request, row.often, steady[row.request], row.steady)
		}
		if restless[row.request] != row.restless {
			t.Errorf("%s, %s: %d where nothing rests, want %d", row.request, row.often, restless[row.request], row.restless)
		}
		delete(seen, row.request)
	}
	if len(seen) > 0 {
		t.Errorf("sent, and not in the table: %v", seen)
	}
	checkDoc(t, table(rows))
}

// allRests lets everything rest that may.
func allRests(s *model.Snapshot) model.Attention {
	a := model.Attention{LogStarts: map[model.PartitionKey]model.Instant{}, Sizes: map[model.PartitionKey]model.Instant{}}
	for key := range s.Partitions {
		a.LogStarts[key], a.Sizes[key] = model.Forever, model.Forever
	}
	return a
}

// groupOnEachBroker makes up group names so that each broker coordinates one.
func (f *fake) groupOnEachBroker() map[string]int32 {
	names, taken := map[string]int32{}, map[int32]bool{}
	for i := 0; len(taken) < 3; i++ {
		name := fmt.Sprintf("group-%d", i)
		coordinator := f.CoordinatorFor(name)
		if !taken[coordinator] {
			taken[coordinator], names[name] = true, coordinator
		}
	}
	return names
}

// stableGroups lists the broker's groups as such that have members: of one kind each on broker 0 and
// the others, beside one that shares and one of streams.
func stableGroups(r kmsg.Request, groups map[string]int32, node int32) kmsg.Response {
	response := r.ResponseKind().(*kmsg.ListGroupsResponse)
	for name, coordinator := range groups {
		one := kmsg.NewListGroupsResponseGroup()
		one.Group, one.GroupState, one.ProtocolType, one.GroupType = name, "Stable", "consumer", "classic"
		switch {
		case name == "workers":
			one.ProtocolType, one.GroupType = "share", "share"
		case name == "flows":
			one.ProtocolType, one.GroupType = "streams", "streams"
		case node == 0:
			one.GroupType = "consumer"
		}
		if coordinator == node {
			response.Groups = append(response.Groups, one)
		}
	}
	return response
}

// checkDoc compares, or with -update writes, the table in doc.go.
func checkDoc(t *testing.T, want string) {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "//\trequest ", "//\n// ListOffsets is named"
	i := strings.Index(string(text), begin)
	j := strings.Index(string(text), end)
	if i < 0 || j < i {
		t.Fatalf("doc.go has no table between %q and %q", begin, end)
	}
	if have := string(text[i:j]); have == want {
		return
	}
	if !*update {
		t.Fatalf("the table in doc.go is not this one; write it with go test ./collector -run RequestTable -update\n%s", want)
	}
	if err := os.WriteFile("doc.go", []byte(string(text[:i])+want+string(text[j:])), 0o600); err != nil {
		t.Fatal(err)
	}
}
