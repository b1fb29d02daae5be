package collector

import (
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/sasl"

	"kafka-retention-exporter/collector/positions"
)

// Config says which cluster is read, how much of it and how patiently. Default gives the values
// for production; only Brokers has none.
type Config struct {
	// Brokers are the addresses (host:port) a connection is started from. Names are resolved
	// again at every new connection.
	Brokers []string

	// A topic or group is watched if its name matches Include (nil: every name) and not Exclude
	// (nil: no name). The filters act before anything about it is asked.
	TopicInclude, TopicExclude *regexp.Regexp
	GroupInclude, GroupExclude *regexp.Regexp
	// InternalTopics watches the topics that brokers call internal as well.
	InternalTopics bool

	// DivisionGroup is the consumer group whose members divide the cluster among themselves
	// (package division). Empty: this collector watches all of it.
	DivisionGroup string

	// OffsetsTopic reads __consumer_offsets for when groups committed, which needs READ on it. Where
	// that is refused, everything else is read all the same.
	OffsetsTopic bool

	// BrokerDeadline is how long one broker may keep a whole poll waiting. After it the broker
	// is not asked again in that poll; a poll ends within twice this time.
	BrokerDeadline time.Duration

	// MaxAnswer is how many bytes an answer may have; a larger one is refused before it is read.
	MaxAnswer int32

	// How often things are read that change seldom. Shorter than the poll interval means at
	// every poll.
	MetadataEvery time.Duration // brokers, topics, leaders; also at once after an error that says they moved
	ConfigsEvery  time.Duration // topic and broker settings
	SizesEvery    time.Duration // sizes of partitions without retention.bytes, and volumes; the others at every poll
	ReplicasEvery time.Duration // log starts on followers
	DescribeEvery time.Duration // members of a stable group

	// AssumeApache takes every broker's retention for Apache Kafka's, whatever its configuration
	// gives away.
	AssumeApache bool

	// LogDirs are the log dirs of a broker on this machine, to be read beside it. Then only what that
	// broker leads is watched, unless AllLeaders is set.
	LogDirs    []string
	AllLeaders bool

	// Positions are where positions are kept that no consumer group shows.
	Positions []positions.Source

	ClientID string         // shown in the brokers' request logs and quotas
	TLS      *TLSFiles      // nil: plaintext
	SASL     sasl.Mechanism // nil: no login; see package login

	// Dial replaces the network in tests; nil is a TCP dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Default is a configuration that lacks nothing but Brokers.
func Default() Config {
	return Config{
		BrokerDeadline: 2 * time.Second,
		MaxAnswer:      maxAnswer,
		MetadataEvery:  time.Minute,
		ConfigsEvery:   time.Minute,
		SizesEvery:     10 * time.Minute,
		ReplicasEvery:  5 * time.Minute,
		DescribeEvery:  5 * time.Minute,
		ClientID:       "kafka-retention-exporter",
	}
}

// Patience is a BrokerDeadline that follows the poll interval: a slow broker is waited for where
// there is time, and a dead one never takes more than a third of it.
func Patience(least, pollInterval time.Duration) time.Duration {
	return max(least, min(pollInterval/6, 10*time.Second))
}

// ConfigError is what Validate finds wrong: the field, by its name in Config, and why.
type ConfigError struct {
	Field  string
	Reason string
}

// Error names the field and the reason.
func (e *ConfigError) Error() string { return e.Field + ": " + e.Reason }

// Validate returns the first thing wrong, a *ConfigError or a file that cannot be read, or nil.
func (c Config) Validate() error {
	if err := checkBrokers(c.Brokers); err != nil {
		return err
	}
	for _, d := range []struct {
		field string
		value time.Duration
	}{
		{"BrokerDeadline", c.BrokerDeadline},
		{"MetadataEvery", c.MetadataEvery},
		{"ConfigsEvery", c.ConfigsEvery},
		{"SizesEvery", c.SizesEvery},
		{"ReplicasEvery", c.ReplicasEvery},
		{"DescribeEvery", c.DescribeEvery},
	} {
		if d.value <= 0 {
			return &ConfigError{d.field, fmt.Sprintf("want a positive duration, have %v", d.value)}
		}
	}
	if c.BrokerDeadline < minDeadline || c.BrokerDeadline > maxDeadline {
		return &ConfigError{"BrokerDeadline", fmt.Sprintf("want between %v and %v, have %v", minDeadline, maxDeadline, c.BrokerDeadline)}
	}
	if c.MaxAnswer <= 0 {
		return &ConfigError{"MaxAnswer", fmt.Sprintf("want a positive number of bytes, have %d", c.MaxAnswer)}
	}
	if slices.Contains(c.LogDirs, "") { // it would be the folder that the program was started in
		return &ConfigError{"LogDirs", "want the path of a log dir, have none"}
	}
	if err := positions.Validate(c.Positions); err != nil {
		return &ConfigError{"Positions", err.Error()}
	}
	for _, s := range c.Positions {
		if s.Connect == nil || s.Connect.Brokers == nil {
			continue
		}
		if wrong, ok := errors.AsType[*ConfigError](checkBrokers(s.Connect.Brokers)); ok {
			return &ConfigError{"Positions", s.Name + ": brokers: " + wrong.Reason}
		}
	}
	if c.TLS == nil {
		return nil
	}
	_, err := c.TLS.config()
	return err
}

// The limits of BrokerDeadline: kgo accepts request timeouts from 100 ms to 15 min, and half an
// hour of patience with one broker is no monitoring.
const (
	minDeadline = 100 * time.Millisecond
	maxDeadline = 5 * time.Minute
)

func checkBrokers(brokers []string) error {
	if len(brokers) == 0 {
		return &ConfigError{"Brokers", "want at least one host:port"}
	}
	for _, b := range brokers {
		host, port, err := net.SplitHostPort(b)
		if err != nil {
			return &ConfigError{"Brokers", fmt.Sprintf("want host:port, have %q", b)}
		}
		if host == "" || port == "" {
			return &ConfigError{"Brokers", fmt.Sprintf("want host:port, have %q", b)}
		}
	}
	return nil
}

// watchesTopic applies the topic filters.
func (c Config) watchesTopic(name string, internal bool) bool {
	return (c.InternalTopics || !internal) && passes(name, c.TopicInclude, c.TopicExclude)
}

// watchesGroup applies the group filters.
func (c Config) watchesGroup(name string) bool {
	return !c.divides(name) && passes(name, c.GroupInclude, c.GroupExclude)
}

// divides tells whether a group is the one that exporters divide the cluster by, which is nothing
// to watch.
func (c Config) divides(group string) bool { return group != "" && group == c.DivisionGroup }

func passes(name string, include, exclude *regexp.Regexp) bool {
	return (include == nil || include.MatchString(name)) && (exclude == nil || !exclude.MatchString(name))
}
