package stack_test

import (
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/monitoring"
	"kafka-retention-exporter/test/scenario"
	"kafka-retention-exporter/test/stack"
)

// shortRetention is what a day of the rules is here.
const (
	shortRetention = 150 * time.Second
	paging         = shortRetention / 6 // before the loss, says the contract of the alerts
	shortSegment   = 6 * time.Second
)

// stops is a topic with a group that stops under the eyes of the exporter and has somebody to help
// it, and one that stands still and has nobody.
func stops() scenario.Scenario {
	const every = 250 * time.Millisecond
	return scenario.Scenario{
		Name: "orders", Rule: scenario.ByTime, Retention: shortRetention, History: shortRetention * 6 / 5,
		Configs:  map[string]string{"retention.ms": "150000", "segment.ms": "6000"},
		Producer: scenario.Producer{Every: every, Size: 200},
		Groups: []scenario.Group{
			{Name: "audit", Kind: scenario.Memberless, Behind: shortRetention - 65*time.Second, Pace: 4, Every: time.Second},
			{Name: "exports", Kind: scenario.Memberless, Behind: shortRetention - 50*time.Second, Every: time.Second},
		},
		Events: []scenario.Event{{At: 12 * time.Second, Action: scenario.Pace("audit", 0)}},
	}
}

// TestPagedBeforeTheLoss follows two alerts from a real broker to the receiver, through the program,
// Prometheus with the shipped rules, and Alertmanager with the shipped example. One group is helped
// when the page comes, and its page is resolved; the other loses when it was said to.
func TestPagedBeforeTheLoss(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel() // both wait most of the time
	binary, tools := endtoend.Build(t), kafkatest.Tools(t)
	cluster := kafkatest.Start(t, kafkatest.Options{})
	box := receive(t)
	alertmanager := startAlertmanager(t, box.address)
	scenario.Set(t, cluster.Addresses(), []scenario.Scenario{stops()})
	truth := cluster.Truth(100*time.Millisecond, kafkatest.Key{Topic: "orders"})
	exporter := net.JoinHostPort("127.0.0.1", strconv.Itoa(kafkatest.FreePort(t)))
	program := endtoend.Run(t, binary, cluster.Addresses(), nil, "--web.listen-address="+exporter)
	stack.Start(t, exporter, shortRules(t), alertmanager)

	page := box.await(t, paging+time.Minute, "a page about audit", paged("orders.audit", "firing"))
	key := kafkatest.Key{Topic: "orders"}
	log, ok := truth.Last(key)
	if !ok {
		t.Fatal("the broker was never asked")
	}
	ctx := cluster.Context(time.Minute)
	cluster.Must(cluster.Commit(ctx, "orders.audit", "orders", 0, log.End)) // it catches up
	command := reads(t, page, "orders.audit")
	box.await(t, time.Minute, "the page about audit is resolved", paged("orders.audit", "resolved"))
	if lost := box.about("orders.audit", "KafkaRetentionRecordsLost"); len(lost) > 0 {
		t.Errorf("the page came too late: %s", lost[0].Text)
	}

	page = box.await(t, paging+time.Minute, "a page about exports", paged("orders.exports", "firing"))
	reads(t, page, "orders.exports")
	position := positions(t, program)["orders.exports"]
	loss, err := truth.AwaitChange(ctx, key, func(c kafkatest.Change) bool { return c.To > position })
	cluster.Must(err)
	said := page.at.Add(left(t, page))
	t.Logf("paged %.1f s before the loss, which was said to come %.1f s after it did", loss.After.Sub(page.at).Seconds(), said.Sub(loss.Before).Seconds())
	if !page.at.Before(loss.After) {
		t.Errorf("paged at %v, lost at %v", page.at, loss.After)
	}
	if off := said.Sub(loss.Before).Abs(); off > 2*shortSegment {
		t.Errorf("the page said %v, the loss was %v away from that", said, off)
	}

	buysTime(t, command, tools, cluster)
}

// shortRules are the shipped rules at the scale of the topic.
func shortRules(t *testing.T) []byte {
	t.Helper()
	o := alerts.Default()
	o.Scale = shortRetention.Hours() / 24
	text, err := alerts.Render(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func startAlertmanager(t *testing.T, receiver string) (address string) {
	t.Helper()
	config, err := monitoring.AlertmanagerConfig(receiver, shortRetention.Hours()/24)
	if err != nil {
		t.Fatal(err)
	}
	address = net.JoinHostPort("127.0.0.1", strconv.Itoa(kafkatest.FreePort(t)))
	server, err := monitoring.StartAlertmanager(t.Context(), t.TempDir(), address, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return address
}

// inbox is all that people were told.
type inbox struct {
	address string
	began   time.Time
	mu      sync.Mutex
	got     []arrived
}

type arrived struct {
	monitoring.Message
	at time.Time
}

func receive(t *testing.T) *inbox {
	t.Helper()
	box := &inbox{began: time.Now()}
	handler, err := monitoring.Receiver(func(m monitoring.Message) {
		box.mu.Lock()
		defer box.mu.Unlock()
		box.got = append(box.got, arrived{m, time.Now()})
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	t.Cleanup(func() {
		for _, m := range box.all() {
			t.Logf("%5.1f s [%s] %s\n%s", m.at.Sub(box.began).Seconds(), strings.Trim(m.Path, "/"), m.Title, m.Text)
		}
	})
	box.address = server.Listener.Addr().String()
	return box
}

func (b *inbox) all() []arrived {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.got)
}

// await waits for a message.
func (b *inbox) await(t *testing.T, patience time.Duration, what string, is func(arrived) bool) arrived {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if i := slices.IndexFunc(b.all(), is); i >= 0 {
			return b.all()[i]
		}
	}
	t.Fatalf("not in %v: %s", patience, what)
	return arrived{}
}

// about are the messages on an alert of a group.
func (b *inbox) about(group, alert string) (some []arrived) {
	for _, m := range b.all() {
		if slices.ContainsFunc(m.Alerts, func(a monitoring.Alert) bool {
			return a.Labels["consumergroup"] == group && a.Labels["alertname"] == alert
		}) {
			some = append(some, m)
		}
	}
	return some
}

// paged is a message to the pager that a group will lose records, or no longer.
func paged(group, status string) func(arrived) bool {
	return func(m arrived) bool {
		return m.Path == "/page" && slices.ContainsFunc(m.Alerts, func(a monitoring.Alert) bool {
			return a.Status == status && a.Labels["consumergroup"] == group && strings.HasPrefix(a.Labels["alertname"], "KafkaRetentionLoss")
		})
	}
}

var sentence = regexp.MustCompile(`^Group (\S+) on topic orders, partition 0 \(cluster main\) is losing the race against retention\. ` +
	`In (\d+)s retention\.ms \(2m 30s\) begins to delete what it has not read; at stake are (\d+) unread records\.`)

// reads holds that a page says all that somebody needs, and returns the command that buys time.
func reads(t *testing.T, page arrived, group string) (command string) {
	t.Helper()
	found := sentence.FindStringSubmatch(page.Text)
	if found == nil || found[1] != group {
		t.Fatalf("the page reads:\n%s\n%s", page.Title, page.Text)
	}
	if !strings.HasPrefix(page.Title, "critical: Consumer group is ") || !strings.HasSuffix(page.Title, " Group "+group+", topic orders, cluster main.") {
		t.Errorf("the page is headed %q", page.Title)
	}
	if left(t, page) > paging {
		t.Errorf("paged too early: %s", found[0])
	}
	if unread, err := strconv.Atoi(found[3]); err != nil || unread < 300 || unread > 700 {
		t.Errorf("of about 500 unread records, at stake are %s", found[3])
	}
	if !regexp.MustCompile(`\nRunbook: http\S+/KafkaRetentionLoss\w+\.md$`).MatchString(page.Text) {
		t.Errorf("no runbook in:\n%s", page.Text)
	}
	_, command, _ = strings.Cut(page.Text, "\nTo buy time: ")
	command, _, _ = strings.Cut(command, "\n")
	return command
}

// left is the time that a page says is left.
func left(t *testing.T, page arrived) time.Duration {
	t.Helper()
	seconds, err := strconv.Atoi(sentence.FindStringSubmatch(page.Text)[2])
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(seconds) * time.Second
}

// buysTime runs the command of a page as somebody would who was woken by it.
func buysTime(t *testing.T, command, tools string, cluster *kafkatest.Cluster) {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "bash", "-euc", command)
	shell.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "BOOTSTRAP="+cluster.Addresses()[0])
	if out, err := shell.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	configs, err := cluster.Admin().DescribeTopicConfigs(cluster.Context(time.Minute), "orders")
	cluster.Must(err)
	topic, err := configs.On("orders", nil)
	cluster.Must(err)
	for _, c := range topic.Configs {
		if c.Key == "retention.ms" && c.MaybeValue() != "300000" {
			t.Errorf("%s: %s is %s", command, c.Key, c.MaybeValue())
		}
	}
}

// positions are those of the groups, as the exporter serves them.
func positions(t *testing.T, program *endtoend.Program) map[string]int64 {
	t.Helper()
	page, ok := program.Get("/metrics")
	if !ok {
		t.Fatal("the exporter does not answer")
	}
	out := map[string]int64{}
	for _, row := range regexp.MustCompile(`(?m)^kafka_retention_group_committed_offset\{consumergroup="([^"]+)".*\} (\S+)$`).FindAllStringSubmatch(string(page), -1) {
		at, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		out[row[1]] = int64(at)
	}
	return out
}
