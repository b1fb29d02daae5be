package collector_test

import (
	"errors"
	"testing"
	"time"

	"kafka-retention-exporter/collector"
)

func TestConfigErrorsNameTheField(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*collector.Config)
		field  string // empty: valid
	}{
		"default with brokers": {func(*collector.Config) {}, ""},
		"IPv6":                 {func(c *collector.Config) { c.Brokers = []string{"[::1]:9092"} }, ""},
		"no brokers":           {func(c *collector.Config) { c.Brokers = nil }, "Brokers"},
		"no port":              {func(c *collector.Config) { c.Brokers = []string{"kafka"} }, "Brokers"},
		"no host":              {func(c *collector.Config) { c.Brokers = []string{":9092"} }, "Brokers"},
		"no deadline":          {func(c *collector.Config) { c.BrokerDeadline = 0 }, "BrokerDeadline"},
		"deadline too short":   {func(c *collector.Config) { c.BrokerDeadline = time.Millisecond }, "BrokerDeadline"},
		"deadline too long":    {func(c *collector.Config) { c.BrokerDeadline = time.Hour }, "BrokerDeadline"},
		"no answers":           {func(c *collector.Config) { c.MaxAnswer = 0 }, "MaxAnswer"},
		"no metadata interval": {func(c *collector.Config) { c.MetadataEvery = -1 }, "MetadataEvery"},
		"no config interval":   {func(c *collector.Config) { c.ConfigsEvery = 0 }, "ConfigsEvery"},
		"log dirs":             {func(c *collector.Config) { c.LogDirs = []string{"/a", "/b"} }, ""},
		"log dir of no name":   {func(c *collector.Config) { c.LogDirs = []string{"/a", ""} }, "LogDirs"},
	} {
		t.Run(name, func(t *testing.T) {
			config := collector.Default()
			config.Brokers = []string{"localhost:9092"}
			test.change(&config)
			checkField(t, config.Validate(), test.field)
			c, err := collector.New(config)
			checkField(t, err, test.field)
			if err == nil {
				c.Close()
			}
		})
	}
}

func checkField(t *testing.T, err error, field string) {
	t.Helper()
	var wrong *collector.ConfigError
	if !errors.As(err, &wrong) {
		if err != nil || field != "" {
			t.Errorf("have %v, want an error about %q", err, field)
		}
		return
	}
	if wrong.Field != field || wrong.Reason == "" {
		t.Errorf("have %v, want an error about %q", err, field)
	}
}
