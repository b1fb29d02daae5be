package embedded_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"kafka-retention-exporter/embedded"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/fakebroker"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*embedded.Config)
		want   string // empty: nothing is wrong
	}{
		{"brokers alone", func(*embedded.Config) {}, ""},
		{"no brokers", func(c *embedded.Config) { c.Cluster.Brokers = nil }, "cluster: Brokers: want at least one host:port"},
		{"no interval", func(c *embedded.Config) { c.PollInterval = 0 }, "poll interval: must be at least 100ms (got 0s)"},
		{"tolerance below 0", func(c *embedded.Config) { c.ClockTolerance = -1 }, "clock tolerance: must not be negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := embedded.Default()
			config.Cluster.Brokers = []string{"kafka-1:9092"}
			c.change(&config)
			err := config.Validate()
			if got := text(err); got != c.want {
				t.Errorf("Validate says %q, want %q", got, c.want)
			}
			if c.want == "" {
				return
			}
			if _, err := embedded.Start(config, slog.New(slog.DiscardHandler)); text(err) != "check configuration: "+c.want {
				t.Errorf("Start says %q", text(err))
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestTwoClustersInOneRegistry has a program watch two clusters.
func TestTwoClustersInOneRegistry(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	for _, name := range []string{"east", "west"} {
		config := embedded.Default()
		config.Cluster.Brokers, config.PollInterval = cluster(t, "readers-"+name), 100*time.Millisecond
		runtime, err := embedded.Start(config, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(runtime.Close)
		labelled := prometheus.WrapRegistererWith(prometheus.Labels{"kafka_cluster": name}, registry)
		for _, c := range runtime.Collectors() {
			if err := labelled.Register(c); err != nil {
				t.Fatal(err)
			}
		}
		for end := time.Now().Add(30 * time.Second); !runtime.Ready(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("nothing was ever published")
			}
		}
		if !runtime.Healthy() {
			t.Error("a runtime that has just polled is not healthy")
		}
	}
	lags := lags(t, registry)
	if len(lags) != 2 || lags["east/readers-east"] != 2 || lags["west/readers-west"] != 2 {
		t.Errorf("the registry shows the lags %v, want 2 of each cluster's group", lags)
	}
}

// cluster has a topic of three records, of which a group has read one.
func cluster(t *testing.T, group string) []string {
	t.Helper()
	ctx := t.Context()
	c, err := fakebroker.Start(ctx, fakebroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	now := fakebroker.Record{Stamp: model.InstantOf(time.Now()), Value: []byte("x")}
	if err := c.CreateTopic(ctx, "orders", 1, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Produce(ctx, "orders", 0, now, now, now); err != nil {
		t.Fatal(err)
	}
	if err := c.Commit(ctx, group, "orders", 0, 1); err != nil {
		t.Fatal(err)
	}
	return c.Addresses()
}

// lags are by cluster and group.
func lags(t *testing.T, registry prometheus.Gatherer) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		if f.GetName() != "kafka_retention_group_lag_records" {
			continue
		}
		for _, m := range f.Metric {
			var name []string
			for _, l := range m.Label {
				if l.GetName() == "kafka_cluster" || l.GetName() == "consumergroup" {
					name = append([]string{l.GetValue()}, name...)
				}
			}
			out[strings.Join(name, "/")] = m.Gauge.GetValue()
		}
	}
	return out
}

// TestAfterClose has a registry collect from a runtime that is gone: it polls no more.
func TestAfterClose(t *testing.T) {
	config := embedded.Default()
	config.Cluster.Brokers, config.PollInterval = cluster(t, "readers"), 100*time.Millisecond
	runtime, err := embedded.Start(config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(runtime.Collectors()...)
	for end := time.Now().Add(30 * time.Second); !runtime.Ready() && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	runtime.Close()
	at := polls(t, registry)
	time.Sleep(3 * config.PollInterval)
	if later := polls(t, registry); at == 0 || later != at {
		t.Errorf("%v polls at Close, %v later", at, later)
	}
}

func polls(t *testing.T, registry prometheus.Gatherer) float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "kafka_retention_polls_total" {
			return f.Metric[0].Counter.GetValue()
		}
	}
	return 0
}
