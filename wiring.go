package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/prometheus/exporter-toolkit/web"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/collector/login"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// wired is the configuration of every part.
type wired struct {
	collector collector.Config
	predictor predictor.Config
	exporter  exporter.Config
}

// wire checks the settings and hands each part its share. Errors name the setting.
func (s *settings) wire(env login.Lookup) (*wired, error) {
	cluster, err := s.cluster(env)
	if err != nil {
		return nil, err
	}
	cluster.DivisionGroup, cluster.OffsetsTopic = s.divisionGroup, s.offsetsTopic // not for who asks once
	w := &wired{
		collector: cluster,
		predictor: predictor.Config{Poll: model.MillisOf(s.pollInterval), ClockTolerance: model.MillisOf(s.clockTolerance)},
		exporter:  exporter.Config{PollInterval: s.pollInterval, SizesEvery: cluster.SizesEvery, StateFile: s.stateFile, Metrics: s.metrics},
	}
	for _, c := range []struct {
		setting string
		err     error
	}{
		{"poll.interval", w.exporter.Validate()},
		{"clock.tolerance", s.validTolerance()},
		{"web.telemetry-path", exporter.CheckTelemetryPath(s.telemetryPath)},
		{"web.config.file", web.Validate(*s.web.WebConfigFile)},
	} {
		if c.err != nil {
			return nil, fmt.Errorf("%s: %w", c.setting, c.err)
		}
	}
	return w, nil
}

func (s *settings) validTolerance() error {
	if s.clockTolerance < 0 {
		return errors.New("must not be negative")
	}
	return nil
}

// cluster is the configuration of what asks the cluster.
func (s *settings) cluster(env login.Lookup) (c collector.Config, err error) {
	c = collector.Default()
	c.Brokers = s.brokers
	c.TopicInclude, c.TopicExclude, c.InternalTopics = s.topics.include, s.topics.exclude, s.internalTopics
	c.LogDirs, c.AllLeaders = s.logDirs, s.allLeaders
	c.GroupInclude, c.GroupExclude = s.groups.include, s.groups.exclude
	c.AssumeApache, c.Positions = s.assumeApache, s.positions
	c.BrokerDeadline = collector.Patience(c.BrokerDeadline, s.pollInterval)
	if c.SASL, err = login.New(s.sasl, env); err != nil {
		return c, fmt.Errorf("kafka.sasl.%w", err)
	}
	if err := s.tls.checkUse(); err != nil {
		return c, err
	}
	if s.tls.enabled {
		files := s.tls.files()
		c.TLS = &files
	}
	return c, settingError(c.Validate())
}

// settingError renames the field of a collector's error to the setting that fills it.
func settingError(err error) error {
	if err == nil {
		return nil
	}
	var wrong *collector.ConfigError
	if !errors.As(err, &wrong) { // the rest are files of TLS
		return fmt.Errorf("kafka.tls: %w", err)
	}
	setting := map[string]string{"Brokers": "kafka.brokers", "TLS": "kafka.tls", "Positions": positionsKey, "LogDirs": "log.dirs"}[wrong.Field]
	return fmt.Errorf("%s: %s", cmp.Or(setting, wrong.Field), wrong.Reason)
}

func (t tlsSettings) files() collector.TLSFiles {
	return collector.TLSFiles{CA: t.caFile, Cert: t.certFile, Key: t.keyFile, ServerName: t.serverName, InsecureSkipVerify: t.insecureSkipVerify}
}

// checkUse refuses TLS settings that would be ignored: whoever names a CA does not want plaintext.
func (t tlsSettings) checkUse() error {
	if !t.enabled && t.files() != (collector.TLSFiles{}) {
		return errors.New("kafka.tls.enabled: other TLS settings are given, but TLS is off")
	}
	return nil
}
