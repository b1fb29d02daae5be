package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/exporter-toolkit/web"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// passwordVariable is the environment variable for the SASL password. There is no flag for it:
// every user of the machine can read a command line.
const passwordVariable = "KAFKA_SASL_PASSWORD"

// lookup reads an environment variable, as os.LookupEnv does.
type lookup func(name string) (value string, ok bool)

// wired is the configuration of every part.
type wired struct {
	collector collector.Config
	predictor predictor.Config
	exporter  exporter.Config
}

// wire checks the settings and hands each part its share. Errors name the setting.
func (s *settings) wire(env lookup) (*wired, error) {
	cluster, err := s.cluster(env)
	if err != nil {
		return nil, err
	}
	w := &wired{
		collector: cluster,
		predictor: predictor.Config{Poll: model.MillisOf(s.pollInterval), ClockTolerance: model.MillisOf(s.clockTolerance)},
		exporter:  exporter.Config{PollInterval: s.pollInterval, SizesEvery: cluster.SizesEvery, Metrics: s.metrics},
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
func (s *settings) cluster(env lookup) (c collector.Config, err error) {
	c = collector.Default()
	c.Brokers = s.brokers
	c.TopicInclude, c.TopicExclude, c.InternalTopics = s.topics.include, s.topics.exclude, s.internalTopics
	c.GroupInclude, c.GroupExclude = s.groups.include, s.groups.exclude
	// Patience with one broker follows the poll interval: a slow broker is waited for where
	// there is time, and a dead one never takes more than a third of it.
	c.BrokerDeadline = max(c.BrokerDeadline, min(s.pollInterval/6, 10*time.Second))
	if c.SASL, err = s.sasl.login(env); err != nil {
		return c, err
	}
	if err := c.Validate(); err != nil {
		return c, settingError(err)
	}
	if err := s.tls.checkUse(); err != nil || !s.tls.enabled {
		return c, err
	}
	if c.TLS, err = s.tls.files().Config(); err != nil {
		return c, fmt.Errorf("kafka.tls: %w", err)
	}
	return c, nil
}

// settingError renames the field of a collector's error to the setting that fills it.
func settingError(err error) error {
	var wrong *collector.ConfigError
	if !errors.As(err, &wrong) {
		return err
	}
	setting := map[string]string{
		"Brokers": "kafka.brokers", "SASL.Mechanism": "kafka.sasl.mechanism", "SASL.Username": "kafka.sasl.username",
	}[wrong.Field]
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

// login is nil without a mechanism. The password is read here once, so that a missing file is
// said at the start, and again at every login, so that a new one is used without a restart.
func (s saslSettings) login(env lookup) (*collector.SASL, error) {
	if s == (saslSettings{}) {
		return nil, nil
	}
	password := collector.PasswordEnv(passwordVariable, env)
	if s.passwordFile != "" {
		password = collector.PasswordFile(s.passwordFile)
	}
	login := &collector.SASL{Mechanism: s.mechanism, Username: s.username, Password: password}
	if _, err := password(); err != nil {
		return nil, fmt.Errorf("kafka.sasl: %w", err)
	}
	return login, nil
}
