package alerts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/monitoring"
)

const exampleConfig = "alertmanager.example.yml"

func TestAmtoolAcceptsTheExample(t *testing.T) {
	run(t, need(t, "amtool", "prometheus-alertmanager"), "check-config", exampleConfig)
}

func TestRoutesOfTheExample(t *testing.T) {
	amtool := need(t, "amtool", "prometheus-alertmanager")
	for _, c := range []struct {
		labels []string
		want   string
	}{
		{[]string{"alertname=KafkaRetentionLossPredicted", "severity=critical", "consumergroup=audit"}, "pager"},
		{[]string{"alertname=KafkaRetentionLossPredicted", "severity=critical", "consumergroup=billing-eu"}, "payments-pager"},
		{[]string{"alertname=KafkaRetentionHalfUsed", "severity=warning", "consumergroup=billing-eu"}, "chat"},
		{[]string{"alertname=KafkaRetentionRecordsLost", "severity=critical", "owner=payments"}, "payments-pager"},
		{[]string{"alertname=KafkaRetentionHalfUsed", "severity=warning", "owner=payments"}, "payments-chat"},
		{[]string{"alertname=KafkaRetentionTopicFinding", "severity=info", "topic=orders"}, "digest"},
		{[]string{"alertname=SomethingElse", "severity=critical"}, "chat"},
	} {
		args := append([]string{"config", "routes", "test", "--config.file=" + exampleConfig, "--verify.receivers=" + c.want}, c.labels...)
		run(t, amtool, args...)
	}
}

// TestInhibitionAndMessagesOfTheExample gives alerts to a real Alertmanager with the example as
// its configuration: what it mutes, and what its receivers get.
func TestInhibitionAndMessagesOfTheExample(t *testing.T) {
	need(t, "prometheus-alertmanager", "prometheus-alertmanager")
	box := newMailbox(t)
	am := startAlertmanager(t, box.port())
	pair := func(alert, severity, group, partition, cluster string) map[string]string {
		return map[string]string{"alertname": alert, "severity": severity, "job": "kre", "consumergroup": group, "topic": "orders", "partition": partition, "kafka_cluster": cluster}
	}
	volume := func(severity, broker string) map[string]string {
		return map[string]string{"alertname": "KafkaRetentionDiskFilling", "severity": severity, "job": "kre", "broker": broker, "dir": "/data"}
	}
	for _, c := range []struct {
		labels map[string]string
		muted  bool
	}{
		{pair("KafkaRetentionLossPredicted", "critical", "billing", "3", "east"), false},
		{pair("KafkaRetentionLossPredicted", "warning", "billing", "3", "east"), true},
		{pair("KafkaRetentionHalfUsed", "warning", "billing", "3", "east"), true},
		{pair("KafkaRetentionHalfUsed", "warning", "billing", "4", "east"), false},
		{pair("KafkaRetentionHalfUsed", "warning", "billing", "3", "west"), false},
		{pair("KafkaRetentionHalfUsed", "warning", "audit", "3", "east"), false},
		{pair("KafkaRetentionLossCertain", "critical", "certain", "0", "east"), false},
		{pair("KafkaRetentionLossPredicted", "critical", "certain", "0", "east"), true},
		{pair("KafkaRetentionGroupStopped", "warning", "stopped", "0", "east"), false},
		{pair("KafkaRetentionLossPredicted", "warning", "stopped", "0", "east"), true},
		{pair("KafkaRetentionHalfUsed", "warning", "stopped", "0", "east"), false},
		{pair("KafkaRetentionRecordsLost", "critical", "by-topic", "", "east"), false},
		{pair("KafkaRetentionHalfUsed", "warning", "by-topic", "", "east"), true},
		{pair("KafkaRetentionRecordsLost", "critical", "again", "0", "east"), false},
		{pair("KafkaRetentionLossPredicted", "critical", "again", "0", "east"), true},
		{pair("KafkaRetentionLossPredicted", "warning", "again", "0", "east"), true},
		{pair("KafkaRetentionLossCertain", "critical", "again", "0", "east"), true},
		{pair("KafkaRetentionLossCertain", "critical", "again", "1", "east"), false},
		{pair("KafkaRetentionLossPredicted", "critical", "again", "0", "west"), false},
		{volume("critical", "1"), false},
		{volume("warning", "1"), true},
		{volume("warning", "2"), false},
		{map[string]string{"alertname": "KafkaRetentionExporterDown", "severity": "critical", "job": "kre", "kafka_cluster": "west"}, false},
		{map[string]string{"alertname": "KafkaRetentionForecastUnknown", "severity": "info", "job": "kre", "kafka_cluster": "west", "consumergroup": "a", "topic": "b"}, true},
		{map[string]string{"alertname": "KafkaRetentionForecastUnknown", "severity": "info", "job": "kre", "kafka_cluster": "east", "consumergroup": "a", "topic": "b"}, false},
	} {
		maps.DeleteFunc(c.labels, func(_, v string) bool { return v == "" })
		am.expect(c.labels, c.muted)
	}
	am.postAll()
	am.awaitMuting()

	page := box.await(t, "/page", "KafkaRetentionLossCertain")
	if !strings.Contains(page, "what to do about KafkaRetentionLossCertain critical") {
		t.Errorf("the webhook gets no description: %s", page)
	}
	chat := box.await(t, "/chat", "stopped")
	for _, want := range []string{"warning: headline of KafkaRetention", "Group stopped, topic orders, cluster east.", "what to do about KafkaRetention", "Runbook: https://wiki.example/KafkaRetention"} {
		if !strings.Contains(chat, want) {
			t.Errorf("the message has no %q: %s", want, chat)
		}
	}
}

// alertmanager is a running server, the alerts given to it and whether each has to be muted.
type alertmanager struct {
	t      testing.TB
	base   string
	alerts []map[string]any
	muted  map[string]bool
}

// startAlertmanager runs the example with its receivers at the given port and without its waits.
func startAlertmanager(t *testing.T, port string) *alertmanager {
	t.Helper()
	config, err := monitoring.AlertmanagerConfig("127.0.0.1:"+port, 1.0/600)
	if err != nil {
		t.Fatal(err)
	}
	server, err := monitoring.StartAlertmanager(t.Context(), t.TempDir(), fmt.Sprintf("127.0.0.1:%d", kafkatest.FreePort(t)), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Stop()
		if t.Failed() {
			t.Logf("Alertmanager's console:\n%s", server.Console())
		}
	})
	am := &alertmanager{t: t, base: server.URL, muted: map[string]bool{}}
	return am
}

// expect adds an alert to those that postAll gives.
func (am *alertmanager) expect(labels map[string]string, muted bool) {
	am.alerts = append(am.alerts, map[string]any{"labels": labels, "annotations": map[string]string{
		"summary": "headline of " + labels["alertname"], "description": "what to do about " + labels["alertname"] + " " + labels["severity"],
		"runbook_url": "https://wiki.example/" + labels["alertname"] + ".md",
	}})
	am.muted[identity(labels)] = muted
}

func identity(labels map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		parts = append(parts, name+"="+labels[name])
	}
	return strings.Join(parts, " ")
}

func (am *alertmanager) postAll() {
	am.t.Helper()
	body, err := json.Marshal(am.alerts)
	if err != nil {
		am.t.Fatal(err)
	}
	res, err := http.Post(am.base+"/api/v2/alerts", "application/json", bytes.NewReader(body))
	if err != nil {
		am.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		am.t.Fatalf("alerts are refused: %s", res.Status)
	}
}

// awaitMuting waits until the server's opinion on each alert is the expected one.
func (am *alertmanager) awaitMuting() {
	am.t.Helper()
	var wrong []string
	defer func() {
		for _, w := range wrong {
			am.t.Errorf("muted is not %t: %s", am.muted[w], w)
		}
	}()
	for range 40 {
		wrong = am.differing()
		if len(wrong) == 0 {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
}

func (am *alertmanager) differing() (wrong []string) {
	body, _ := am.get("/api/v2/alerts")
	var have []struct {
		Labels map[string]string
		Status struct{ InhibitedBy []string }
	}
	if err := json.Unmarshal(body, &have); err != nil {
		am.t.Fatal(err)
	}
	state := map[string]bool{}
	for _, a := range have {
		state[identity(a.Labels)] = len(a.Status.InhibitedBy) > 0
	}
	for id, want := range am.muted {
		if got, known := state[id]; !known || got != want {
			wrong = append(wrong, id)
		}
	}
	return wrong
}

func (am *alertmanager) get(path string) ([]byte, bool) {
	ctx, cancel := context.WithTimeout(am.t.Context(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, am.base+path, nil)
	if err != nil {
		am.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, false
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return body, err == nil && res.StatusCode == http.StatusOK
}

// within polls for ten seconds, which is a hundred times what it takes.
func within(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for range 100 {
		if ok() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("not in time: %s", what)
}

// mailbox is the receiver of all messages, by path.
type mailbox struct {
	server *httptest.Server
	mu     sync.Mutex
	bodies map[string][]string
}

func newMailbox(t *testing.T) *mailbox {
	b := &mailbox{bodies: map[string][]string{}}
	b.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.bodies[r.URL.Path] = append(b.bodies[r.URL.Path], string(body))
		fmt.Fprint(w, "ok")
	}))
	t.Cleanup(b.server.Close)
	return b
}

func (b *mailbox) port() string { return b.server.URL[strings.LastIndex(b.server.URL, ":")+1:] }

// await returns the first message to a path that has the given text in it.
func (b *mailbox) await(t testing.TB, path, text string) (body string) {
	t.Helper()
	within(t, path+" gets a message with "+text, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		i := slices.IndexFunc(b.bodies[path], func(m string) bool { return strings.Contains(m, text) })
		if i >= 0 {
			body = b.bodies[path][i]
		}
		return i >= 0
	})
	return body
}
