package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/embedded"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/fakebroker"
)

// TestTheOtherRegistryShowsForecasts runs the example against a cluster and scrapes it.
func TestTheOtherRegistryShowsForecasts(t *testing.T) {
	ctx := t.Context()
	c, err := fakebroker.Start(ctx, fakebroker.Options{})
	must(t, err)
	t.Cleanup(func() { _ = c.Close() })
	must(t, c.CreateTopic(ctx, "orders", 1, map[string]string{"retention.ms": "3600000"}))
	_, err = c.Produce(ctx, "orders", 0, fakebroker.Record{Stamp: model.InstantOf(time.Now()), Value: []byte("x")})
	must(t, err)
	must(t, c.Commit(ctx, "billing", "orders", 0, 0))

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	config := embedded.Default()
	config.Cluster.Brokers, config.PollInterval = c.Addresses(), 200*time.Millisecond
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- run(running, config, listener) }()

	want := []string{
		"\nmy_program_start_time_seconds 1", "\nkafka_retention_up 1\n",
		"\n" + `kafka_retention_group_lag_records{consumergroup="billing",partition="0",topic="orders"} 1` + "\n",
		"\n" + `kafka_retention_group_stopped_loss_timestamp_seconds{consumergroup="billing",partition="0",topic="orders"} 1`,
	}
	url, page := "http://"+listener.Addr().String()+"/metrics", ""
	for end := time.Now().Add(30 * time.Second); !hasAll(page, want); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the page never had all of %q:\n%s", want, page)
		}
		page = scrape(ctx, url)
	}
	stop()
	select {
	case err := <-ended:
		must(t, err)
	case <-time.After(30 * time.Second):
		t.Fatal("the program did not end")
	}
}

func hasAll(page string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(page, part) {
			return false
		}
	}
	return true
}

func scrape(ctx context.Context, url string) string {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return ""
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return ""
	}
	defer func() { _ = answer.Body.Close() }()
	text, _ := io.ReadAll(answer.Body)
	return string(text)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
