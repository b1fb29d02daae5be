package monitoring_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kafka-retention-exporter/test/monitoring"
)

func TestConfigurationsAreTheExamplesWithOtherAddressesAndWaits(t *testing.T) {
	config, err := monitoring.PrometheusConfig("127.0.0.1:1", "/tmp/rules.yml", "127.0.0.1:2")
	if err != nil {
		t.Fatal(err)
	}
	holds(t, config, "scrape_interval: 1s", "evaluation_interval: 1s", "- /tmp/rules.yml", "targets: [127.0.0.1:1]", "targets: [127.0.0.1:2]", "kafka_cluster: main")
	if config, err = monitoring.AlertmanagerConfig("127.0.0.1:3", 1.0/600); err != nil {
		t.Fatal(err)
	}
	// The waits are those of groups: a repeat of four hours stays one.
	holds(t, config, "url: http://127.0.0.1:3/page", "group_wait: 1000ms", "group_interval: 144000ms", "repeat_interval: 4h")
}

// TestMessagesReadTheSameOnBothRoads: the webhook has only data, Slack only words.
func TestMessagesReadTheSameOnBothRoads(t *testing.T) {
	var got []monitoring.Message
	handler, err := monitoring.Receiver(func(m monitoring.Message) { got = append(got, m) })
	if err != nil {
		t.Fatal(err)
	}
	post := func(path, body string) int {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
		return answer.Code
	}
	post("/page", `{"status": "firing", "commonLabels": {"severity": "critical", "consumergroup": "exports", "topic": "orders"},
		"commonAnnotations": {"summary": "Records go.", "runbook_url": "https://wiki.example/it.md"}, "alerts": [
		{"status": "firing", "labels": {"partition": "0"}, "annotations": {"description": "Do this."}},
		{"status": "resolved", "labels": {"partition": "1"}, "annotations": {"summary": "Records go."}}]}`)
	post("/chat", `{"attachments": [{"title": "critical: Records go.", "text": "Do this.\n"}]}`)
	if status := post("/page", "words"); status != http.StatusBadRequest {
		t.Errorf("what is no message is answered with %d", status)
	}
	if len(got) != 2 {
		t.Fatalf("%d messages", len(got))
	}
	page, chat := got[0], got[1]
	if want := "critical: Records go. Group exports, topic orders."; page.Path != "/page" || page.Title != want {
		t.Errorf("%s: %q, want %q", page.Path, page.Title, want)
	}
	if want := "Do this.\nOver, partition 1: Records go.\nRunbook: https://wiki.example/it.md"; page.Text != want {
		t.Errorf("%q, want %q", page.Text, want)
	}
	if firing := page.Alerts.Firing(); len(firing) != 1 || firing[0].Labels["partition"] != "0" {
		t.Errorf("firing: %v", firing)
	}
	if chat.Path != "/chat" || chat.Title != "critical: Records go." || chat.Text != "Do this." {
		t.Errorf("chat: %+v", chat)
	}
}

func holds(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}
