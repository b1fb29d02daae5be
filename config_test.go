package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/collector/login"
	"kafka-retention-exporter/collector/positions"
	"kafka-retention-exporter/exporter"
)

// check runs the program with --config.check and returns what it exits with and says.
func check(t *testing.T, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	code = run(context.Background(), append(args, "--config.check"), lookup, &out, &errs)
	return code, out.String(), errs.String()
}

// TestBadConfigurationFiles has the exact message for every testdata/*.bad.yml.
func TestBadConfigurationFiles(t *testing.T) {
	want := map[string]string{
		"alias":                    "testdata/alias.bad.yml: line 4: kafka.sasl.username: want a value",
		"boolean":                  "testdata/boolean.bad.yml: line 4: kafka.tls.enabled: want true or false",
		"duration":                 `testdata/duration.bad.yml: line 3: poll.interval: time: invalid duration "soon"`,
		"flag-of-the-command-line": "testdata/flag-of-the-command-line.bad.yml: line 2: unknown key config.check",
		"granularity":              `testdata/granularity.bad.yml: line 2: metrics.granularity: must be partition or topic (got "group")`,
		"list-for-one-value":       "testdata/list-for-one-value.bad.yml: line 3: group.include: want one value, not a list",
		"log-level":                "testdata/log-level.bad.yml: line 2: log.level: unrecognized log level loud",
		"mapping-in-list":          "testdata/mapping-in-list.bad.yml: line 3: kafka.brokers: want a list of plain values",
		"negative-tolerance":       "clock.tolerance: must not be negative",
		"max-pairs":                `testdata/max-pairs.bad.yml: line 3: metrics.max-pairs: must be a whole number, 0 or more (got "-1")`,
		"nested-list":              "testdata/nested-list.bad.yml: line 2: kafka.brokers: want a list of plain values",
		"no-value":                 "testdata/no-value.bad.yml: line 2: poll.interval: want a value",
		"number-for-duration":      `testdata/number-for-duration.bad.yml: line 2: poll.interval: time: missing unit in duration "30"`,
		"pattern":                  "testdata/pattern.bad.yml: line 3: topic.include: error parsing regexp: invalid or unsupported Perl syntax: `(?!`",
		"positions-both":           "testdata/positions-both.bad.yml: line 3: positions: flink: want one of file, url and connect-topic",
		"positions-offset-is":      `testdata/positions-offset-is.bad.yml: line 3: positions: offset-is: want last or next, have "first"`,
		"positions-connector":      "testdata/positions-connector.bad.yml: line 3: positions: mirror: connector: want the name of a source connector",
		"positions-no-topic":       "testdata/positions-no-topic.bad.yml: line 3: positions: mirror: connector: needs a connect-topic",
		"positions-brokers":        `positions: mirror: brokers: want host:port, have "b"`,
		"positions-key":            "testdata/positions-key.bad.yml: line 3: positions: unknown key path",
		"positions-no-list":        "testdata/positions-no-list.bad.yml: line 3: positions: want a list",
		"positions-twice":          "positions: flink: two sources have this name",
		"plain-text":               "testdata/plain-text.bad.yml: line 1: want a mapping of settings",
		"same-key-twice":           "testdata/same-key-twice.bad.yml: line 2: poll.interval: set already in line 1",
		"short-interval":           "poll.interval: must be at least 100ms (got 1ms)",
		"syntax":                   "testdata/syntax.bad.yml: yaml: line 2: found unexpected end of stream",
		"telemetry-path":           "web.telemetry-path: /-/ready is taken by another page",
		"top-list":                 "testdata/top-list.bad.yml: line 1: want a mapping of settings",
		"twice":                    "testdata/twice.bad.yml: line 4: kafka.brokers: set already in line 2",
		"two-documents":            "testdata/two-documents.bad.yml: more than one YAML document",
		"unknown-key":              "testdata/unknown-key.bad.yml: line 3: unknown key kafka.broker",
		"unknown-section":          "testdata/unknown-section.bad.yml: line 3: unknown key polling.interval",
		"web-config-missing":       "web.config.file: open testdata/nowhere.yml: no such file or directory",
	}
	files, err := filepath.Glob("testdata/*.bad.yml")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d files for %d messages: %v", len(files), len(want), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".bad.yml")
		t.Run(name, func(t *testing.T) {
			code, _, stderr := check(t, nil, "--config.file="+file)
			if got := strings.TrimPrefix(strings.TrimSpace(stderr), program+": "); code != 1 || got != want[name] {
				t.Errorf("exit %d, %q; want 1, %q", code, got, want[name])
			}
		})
	}
}

func TestGoodConfigurationFile(t *testing.T) {
	s, done, err := load([]string{"--config.file=testdata/all.good.yml"}, os.Stderr)
	if err != nil || done {
		t.Fatal(err)
	}
	if got := strings.Join(s.brokers, " "); got != "one:9092 two:9092" {
		t.Errorf("brokers %q", got)
	}
	if s.tls != (tlsSettings{enabled: true, serverName: "kafka.example"}) {
		t.Errorf("tls %+v", s.tls)
	}
	if s.sasl != (login.Settings{Mechanism: "SCRAM-SHA-512", Username: "monitor", PasswordFile: "testdata/password", Kerberos: login.Kerberos{ConfigFile: "/etc/krb5.conf", Service: "kafka"}}) {
		t.Errorf("sasl %+v", s.sasl)
	}
	if s.topics.include.String() != ".*" || s.topics.exclude.String() != "^__|^console-" || s.groups.include.String() != "^app" || s.groups.exclude.String() != "x$" {
		t.Errorf("filters %v %v", s.topics, s.groups)
	}
	if !s.internalTopics || s.pollInterval != 10*time.Second || s.clockTolerance != 250*time.Millisecond {
		t.Errorf("internal %t, poll %s, tolerance %s", s.internalTopics, s.pollInterval, s.clockTolerance)
	}
	if want := (exporter.Shape{Granularity: exporter.ByTopic, Detail: exporter.Standard, MaxPairs: 5000}); s.metrics != want {
		t.Errorf("metrics %+v", s.metrics)
	}
	if got := strings.Join(*s.web.WebListenAddresses, " "); got != ":1 :2" || s.telemetryPath != "/m" {
		t.Errorf("listen %q, path %q", got, s.telemetryPath)
	}
	if want := (positions.Source{Name: "flink", File: "/var/lib/flink.json", MaxAge: 2 * time.Minute}); len(s.positions) != 2 || s.positions[0] != want || s.positions[1].MaxAge != positions.DefaultMaxAge {
		t.Errorf("positions %+v", s.positions)
	}
	if strings.Join(s.logDirs, " ") != "/data/a /data/b" || !s.allLeaders || s.divisionGroup != "exporters" || !s.offsetsTopic {
		t.Errorf("log dirs %q (all leaders %t), group %q, offsets topic %t", s.logDirs, s.allLeaders, s.divisionGroup, s.offsetsTopic)
	}
	if s.log.Level.String() != "debug" || s.log.Format.String() != "json" {
		t.Errorf("log level %s, format %s", s.log.Level, s.log.Format)
	}
}

func TestFlagsWinOverTheFile(t *testing.T) {
	s, _, err := load([]string{
		"--config.file=testdata/all.good.yml", "--kafka.brokers=three:1", "--poll.interval=5s", "--web.listen-address=:9",
		"--no-kafka.tls.enabled", "--log.level=warn", "--topic.exclude=",
	}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(s.brokers, " ") != "three:1" || s.pollInterval != 5*time.Second || strings.Join(*s.web.WebListenAddresses, " ") != ":9" ||
		s.tls.enabled || s.log.Level.String() != "warn" || s.topics.exclude != nil {
		t.Errorf("a setting of the file won: %+v", s)
	}
	if s.sasl.Username != "monitor" {
		t.Error("the settings that no flag names are gone")
	}
}

func TestDefaults(t *testing.T) {
	s, _, err := load([]string{"--kafka.brokers= a:1, b:2 ,", "--config.file=testdata/empty.good.yml"}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(s.brokers, " ") != "a:1 b:2" || s.pollInterval != 30*time.Second || s.clockTolerance != time.Second ||
		strings.Join(*s.web.WebListenAddresses, " ") != ":10059" || s.telemetryPath != "/metrics" || s.topics.include != nil || s.internalTopics {
		t.Errorf("defaults %+v", s)
	}
}

// TestBadFlags has the exact message for flags that cannot be.
func TestBadFlags(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"unknown":          {[]string{"--kafka.broker=a:1"}, "unknown long flag '--kafka.broker'"},
		"argument":         {[]string{"orders"}, "unexpected orders"},
		"duration":         {[]string{"--poll.interval=1"}, `poll.interval: time: missing unit in duration "1"`},
		"interval of zero": {[]string{"--kafka.brokers=a:1", "--poll.interval=0s"}, "poll.interval: must be at least 100ms (got 0s)"},
		"pattern":          {[]string{"--group.exclude=("}, "group.exclude: error parsing regexp: missing closing ): `(`"},
		"no such file":     {[]string{"--config.file=testdata/nowhere.yml"}, "read configuration: open testdata/nowhere.yml: no such file or directory"},
		"secret as a flag": {[]string{"--kafka.sasl.password=x"}, "unknown long flag '--kafka.sasl.password'"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := check(t, nil, c.args...)
			if got := strings.TrimPrefix(strings.TrimSpace(stderr), program+": "); code != 1 || got != c.want {
				t.Errorf("exit %d, %q; want 1, %q", code, got, c.want)
			}
		})
	}
}

// TestBadClusterSettings has the exact message for settings about brokers, TLS and login.
func TestBadClusterSettings(t *testing.T) {
	password := map[string]string{login.PasswordVariable: "secret"}
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
		want string
	}{
		"no brokers":          {nil, nil, "kafka.brokers: want at least one host:port"},
		"broker without port": {nil, []string{"--kafka.brokers=a"}, `kafka.brokers: want host:port, have "a"`},
		"mechanism":           {password, []string{"--kafka.brokers=a:1", "--kafka.sasl.mechanism=PLAN"}, `kafka.sasl.mechanism: want one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER, AWS_MSK_IAM, GSSAPI, have "PLAN"`},
		"user, no mechanism":  {password, []string{"--kafka.brokers=a:1", "--kafka.sasl.username=u"}, `kafka.sasl.mechanism: want one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER, AWS_MSK_IAM, GSSAPI, have ""`},
		"mechanism, no user":  {password, []string{"--kafka.brokers=a:1", "--kafka.sasl.mechanism=PLAIN"}, "kafka.sasl.username: mechanism PLAIN wants one"},
		"no password":         {nil, []string{"--kafka.brokers=a:1", "--kafka.sasl.mechanism=PLAIN", "--kafka.sasl.username=u"}, "kafka.sasl.password-file: read secret: no file is named, and the environment variable KAFKA_SASL_PASSWORD is not set"},
		"no password file": {
			password, []string{"--kafka.brokers=a:1", "--kafka.sasl.mechanism=PLAIN", "--kafka.sasl.username=u", "--kafka.sasl.password-file=testdata/nowhere"},
			"kafka.sasl.password-file: read secret: open testdata/nowhere: no such file or directory",
		},
		"TLS files without TLS": {nil, []string{"--kafka.brokers=a:1", "--kafka.tls.ca-file=ca.pem"}, "kafka.tls.enabled: other TLS settings are given, but TLS is off"},
		"no CA file":            {nil, []string{"--kafka.brokers=a:1", "--kafka.tls.enabled", "--kafka.tls.ca-file=testdata/nowhere"}, "kafka.tls: read CA file: open testdata/nowhere: no such file or directory"},
		"CA file without a CA":  {nil, []string{"--kafka.brokers=a:1", "--kafka.tls.enabled", "--kafka.tls.ca-file=testdata/password"}, "kafka.tls: read CA file: testdata/password holds no certificate"},
		"log dir of no name":    {nil, []string{"--kafka.brokers=a:1", "--log.dirs="}, "log.dirs: want the path of a log dir, have none"},
		"certificate, no key":   {nil, []string{"--kafka.brokers=a:1", "--kafka.tls.enabled", "--kafka.tls.cert-file=testdata/password"}, "kafka.tls: want a certificate and its key together"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := check(t, c.env, c.args...)
			if got := strings.TrimPrefix(strings.TrimSpace(stderr), program+": "); code != 1 || got != c.want {
				t.Errorf("exit %d, %q; want 1, %q", code, got, c.want)
			}
		})
	}
}

// TestPatienceFollowsThePollInterval: a slow broker gets more time where polls are far apart.
func TestPatienceFollowsThePollInterval(t *testing.T) {
	for interval, want := range map[string]time.Duration{"1s": 2 * time.Second, "30s": 5 * time.Second, "1h": 10 * time.Second} {
		s, _, err := load([]string{"--kafka.brokers=a:1", "--poll.interval=" + interval}, os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := s.wire(os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		if got := parts.collector.BrokerDeadline; got != want {
			t.Errorf("interval %s: a broker gets %s, want %s", interval, got, want)
		}
	}
}

func TestGoodConfigurationIsSaidToBeValid(t *testing.T) {
	if code, stdout, stderr := check(t, nil, "--kafka.brokers=a:9092"); code != 0 || stdout != "configuration is valid\n" || stderr != "" {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
}

// TestSwitchesBothWays sets every switch both ways: no pair of them may end in a panic.
func TestSwitchesBothWays(t *testing.T) {
	switches := []string{"kafka.tls.enabled", "kafka.tls.insecure-skip-verify", "topic.internal", "web.systemd-socket"}
	for i, a := range switches {
		for _, b := range switches[i+1:] {
			for _, flags := range [][]string{{"--" + a, "--" + b}, {"--" + a, "--no-" + b}, {"--no-" + a, "--" + b}, {"--no-" + a, "--no-" + b}} {
				code, _, stderr := check(t, nil, append(flags, "--kafka.brokers=a:9092")...)
				if code != 0 && strings.Count(stderr, "\n") != 1 {
					t.Errorf("%v: exit %d, %q", flags, code, stderr)
				}
			}
		}
	}
}

// TestReadmePositions: the example in README is a configuration that is accepted.
func TestReadmePositions(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, shown := strings.Cut(string(text), "```yaml\npositions:")
	if !shown {
		t.Fatal("README shows no positions")
	}
	example, _, _ = strings.Cut(example, "```")
	path := filepath.Join(t.TempDir(), "config.yml")
	if err := os.WriteFile(path, []byte("positions:"+example), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _, err := load([]string{"--config.file=" + path, "--kafka.brokers=a:1"}, os.Stderr)
	if err != nil || len(s.positions) < 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := s.wire(os.LookupEnv); err != nil {
		t.Error(err)
	}
}
