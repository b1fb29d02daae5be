package collector

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// The settings that are asked for, by their names at the broker.
const (
	keyPolicy              = "cleanup.policy"
	keyRetentionMs         = "retention.ms"
	keyRetentionBytes      = "retention.bytes"
	keySegmentBytes        = "segment.bytes"
	keyInternalSegment     = "internal.segment.bytes"
	keySegmentMs           = "segment.ms"
	keySegmentJitterMs     = "segment.jitter.ms"
	keySegmentIndexBytes   = "segment.index.bytes"
	keyIndexInterval       = "index.interval.bytes"
	keyMaxCompactionLag    = "max.compaction.lag.ms"
	keyTimestampType       = "message.timestamp.type"
	keyFileDeleteDelay     = "file.delete.delay.ms"
	keyTiered              = "remote.storage.enable"
	keyLocalRetentionMs    = "local.retention.ms"
	keyLocalRetentionBytes = "local.retention.bytes"
	keyRemoteCopyDisabled  = "remote.log.copy.disable"

	keyCheckInterval    = "log.retention.check.interval.ms"
	keyCleanerBackoff   = "log.cleaner.backoff.ms"
	keyOffsetsRetention = "offsets.retention.minutes"
	keyOffsetsCheck     = "offsets.retention.check.interval.ms"
	keyInitialDelay     = "log.initial.task.delay.ms"
	keyRemoteTask       = "remote.log.manager.task.interval.ms"
)

// The settings by which brokers give away that their retention is not Apache Kafka's code: nobody
// else knows them.
const (
	keyRedpandaRemote  = "redpanda.remote.read"   // topics of Redpanda
	keyConfluentTier   = "confluent.tier.enable"  // topics of Confluent Server
	keyConfluentBroker = "confluent.tier.feature" // its brokers
	keyElasticStream   = "elasticstream.enable"   // brokers of AutoMQ
)

func foreignNames() []string {
	return []string{keyRedpandaRemote, keyConfluentTier, keyConfluentBroker, keyElasticStream}
}

// TopicConfigNames are the settings that are asked for of each topic.
func TopicConfigNames() []string {
	return []string{
		keyPolicy, keyRetentionMs, keyRetentionBytes, keySegmentBytes, keyInternalSegment, keySegmentMs, keySegmentJitterMs,
		keySegmentIndexBytes, keyIndexInterval, keyMaxCompactionLag, keyTimestampType, keyFileDeleteDelay, keyTiered,
		keyLocalRetentionMs, keyLocalRetentionBytes, keyRemoteCopyDisabled, keyRedpandaRemote, keyConfluentTier,
	}
}

func brokerConfigNames() []string {
	return []string{keyCheckInterval, keyCleanerBackoff, keyOffsetsRetention, keyOffsetsCheck, keyInitialDelay, keyRemoteTask, keyConfluentBroker, keyElasticStream}
}

// configs is what DescribeConfigs answered about one resource.
type configs map[string]configValue

type configValue struct {
	text   string
	source model.ConfigSource
}

// configValues leaves out what has no value: a broker hides the value of sensitive settings.
func configValues(list []kmsg.DescribeConfigsResponseResourceConfig) configs {
	c := configs{}
	for _, one := range list {
		if one.Value != nil {
			c[one.Name] = configValue{*one.Value, model.ConfigSource(one.Source)}
		}
	}
	return c
}

// configReader reads numbers and keeps the first error.
type configReader struct {
	configs
	err error
}

// must reads a setting that every broker has.
func (r *configReader) must(name string) int64 {
	v, ok := r.configs[name]
	if !ok {
		r.fail(fmt.Errorf("read settings: the answer lacks %s", name))
		return 0
	}
	return r.number(name, v.text)
}

// or reads a setting that some brokers do not list: too old to have it, or, as
// log.initial.task.delay.ms, shown only where it is set. There the broker's built-in default is
// in force.
func (r *configReader) or(name string, builtIn int64) int64 {
	v, ok := r.configs[name]
	if !ok {
		return builtIn
	}
	return r.number(name, v.text)
}

func (r *configReader) number(name, text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.fail(fmt.Errorf("read settings: %s is no number", name))
	}
	return n
}

func (r *configReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// The built-in defaults of settings that need not be listed.
const (
	builtInIndexBytes    = 10 << 20
	builtInIndexInterval = 4096
	builtInDeleteDelay   = 60_000
	builtInInitialDelay  = 30_000
	builtInRemoteTask    = 30_000
	useRetention         = -2 // local.retention.*: as retention.*
)

// topic reads a topic's settings. Those that decide about deletion must be there.
func (c configs) topic() (model.Settings, error) {
	r := &configReader{configs: c}
	s := model.Settings{
		RetentionMs:          model.Millis(r.must(keyRetentionMs)),
		RetentionBytes:       model.Bytes(r.must(keyRetentionBytes)),
		SegmentBytes:         model.Bytes(r.or(keyInternalSegment, r.must(keySegmentBytes))),
		SegmentMs:            model.Millis(r.must(keySegmentMs)),
		SegmentJitterMs:      model.Millis(r.or(keySegmentJitterMs, 0)),
		SegmentIndexBytes:    model.Bytes(r.or(keySegmentIndexBytes, builtInIndexBytes)),
		IndexIntervalBytes:   model.Bytes(r.or(keyIndexInterval, builtInIndexInterval)),
		FileDeleteDelay:      model.Millis(r.or(keyFileDeleteDelay, builtInDeleteDelay)),
		LocalRetentionMs:     model.Millis(r.or(keyLocalRetentionMs, useRetention)),
		LocalRetentionBytes:  model.Bytes(r.or(keyLocalRetentionBytes, useRetention)),
		RetentionMsSource:    c[keyRetentionMs].source,
		RetentionBytesSource: c[keyRetentionBytes].source,
	}
	s.Policy = r.policy()
	s.TimestampType = r.timestampType()
	s.MaxCompactionLagMs = r.compactionLag(s.Policy)
	// A compacted topic is never tiered (UnifiedLog.isRemoteLogEnabled).
	s.Tiered = c[keyTiered].text == "true" && !s.Policy.Compacts()
	s.RemoteCopyDisabled = c[keyRemoteCopyDisabled].text == "true"
	return s, r.err
}

func (r *configReader) policy() model.Policy {
	v, ok := r.configs[keyPolicy]
	policy, known := model.ParsePolicy(v.text)
	if !ok || !known {
		r.fail(fmt.Errorf("read settings: no known %s in the answer", keyPolicy))
	}
	return policy
}

func (r *configReader) timestampType() model.TimestampType {
	switch r.configs[keyTimestampType].text {
	case model.CreateTime.String():
		return model.CreateTime
	case model.LogAppendTime.String():
		return model.LogAppendTime
	}
	r.fail(fmt.Errorf("read settings: no known %s in the answer", keyTimestampType))
	return 0
}

// compactionLag is max.compaction.lag.ms where it bounds a segment's age: under compaction, and
// set to less than its default of for ever (LogConfig.maxSegmentMs).
func (r *configReader) compactionLag(policy model.Policy) model.Millis {
	lag := r.or(keyMaxCompactionLag, math.MaxInt64)
	if !policy.Compacts() || lag == math.MaxInt64 {
		return 0
	}
	return model.Millis(lag)
}

// betrays names what in an answer is not Apache Kafka's, if anything: a setting that it does not
// have, or a broker that tells of itself and not of the interval between its retention passes,
// which every release shows.
func (c configs) betrays(broker bool) string {
	for _, name := range foreignNames() {
		if _, has := c[name]; has {
			return name
		}
	}
	if _, has := c[keyCheckInterval]; broker && !has {
		return "no " + keyCheckInterval
	}
	return ""
}

// broker reads a broker's own settings.
func (c configs) broker() (model.BrokerSettings, error) {
	r := &configReader{configs: c}
	s := model.BrokerSettings{
		CheckInterval:    model.Millis(r.must(keyCheckInterval)),
		CleanerBackoff:   model.Millis(r.must(keyCleanerBackoff)),
		OffsetsRetention: model.Millis(r.must(keyOffsetsRetention)) * model.MillisOf(time.Minute),
		OffsetsCheck:     model.Millis(r.must(keyOffsetsCheck)),
		InitialTaskDelay: model.Millis(r.or(keyInitialDelay, builtInInitialDelay)),
		RemoteTaskMs:     model.Millis(r.or(keyRemoteTask, builtInRemoteTask)),
	}
	return s, r.err
}
