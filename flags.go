package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kingpin/v2"
	"github.com/prometheus/common/promslog"
	logflag "github.com/prometheus/common/promslog/flag"
	"github.com/prometheus/common/version"
	"github.com/prometheus/exporter-toolkit/web"
	"github.com/prometheus/exporter-toolkit/web/kingpinflag"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/collector/login"
	"kafka-retention-exporter/collector/positions"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
)

const program = "kafka-retention-exporter"

// settings is everything a user can set. Each has a flag; the configuration file sets the same
// ones under the same names.
type settings struct {
	selected    string // command
	question    question
	rules       alerts.Command
	configFile  string
	configCheck bool

	brokers        []string
	topics, groups filter
	internalTopics bool
	divisionGroup  string
	offsetsTopic   bool
	tls            tlsSettings
	logDirs        []string
	allLeaders     bool
	sasl           login.Settings

	pollInterval, clockTolerance time.Duration
	assumeApache                 bool
	positions                    []positions.Source // in the configuration file only

	telemetryPath string
	stateFile     string
	metrics       exporter.Shape
	web           *web.FlagConfig
	log           promslog.Config
}

// filter holds the patterns for one kind of name. Nil lets everything in, or nothing out.
type filter struct{ include, exclude *regexp.Regexp }

type tlsSettings struct {
	enabled, insecureSkipVerify           bool
	caFile, certFile, keyFile, serverName string
}

// commandLine is the commands and flags, and the settings that parsing fills.
type commandLine struct {
	app *kingpin.Application
	settings
	done bool // --help or --version has been answered
}

// newCommand defines the flags. What --help and --version print goes to out.
func newCommand(out io.Writer) *commandLine {
	c := &commandLine{app: kingpin.New(program, "Forecasts when Kafka's retention deletes records that consumer groups have not read yet.")}
	c.app.UsageWriter(out).ErrorWriter(out).Terminate(func(int) { c.done = true })
	c.app.Version(version.Print(program))
	c.app.HelpFlag.Short('h')

	c.app.Flag("config.file", "YAML file with the same settings as these flags, which win over it.").StringVar(&c.configFile)
	c.app.Flag("config.check", "Check flags and configuration file, then exit.").BoolVar(&c.configCheck)
	c.kafkaFlags()
	c.filterFlags()

	c.app.Flag("log.dirs", "Log dir of a broker on this machine, to be read beside it; once for each. Forecasts of what it leads are then exact, and only that is watched.").StringsVar(&c.logDirs)
	c.app.Flag("log.dirs.all-leaders", "With --log.dirs: watch also what other brokers lead.").BoolVar(&c.allLeaders)
	c.flag("poll.interval", "Time from the start of one poll of the cluster to the start of the next.", "30s", parsed(&c.pollInterval, time.ParseDuration))
	c.app.Flag("assume.apache-retention", "Forecast on brokers as well whose configuration says that their retention is not Apache Kafka's code.").BoolVar(&c.assumeApache)
	c.flag("clock.tolerance", "How far the clocks of brokers may be apart; the promised floor is earlier by as much.", "1s", parsed(&c.clockTolerance, time.ParseDuration))
	c.app.Flag("web.telemetry-path", "Path under which metrics are served.").Default("/metrics").StringVar(&c.telemetryPath)
	c.flag("metrics.granularity", "partition, or topic: one series for all partitions of a topic that a group reads, with the earliest instants, the largest ratios and the sums.", "partition", parsed(&c.metrics.Granularity, exporter.ParseGranularity))
	c.flag("metrics.detail", "full, or standard: without the series that no shipped rule uses.", "full", parsed(&c.metrics.Detail, exporter.ParseDetail))
	c.flag("metrics.max-pairs", "How many pairs of group and partition have series, those at risk first; 0 is no limit. The others are counted in kafka_retention_forecasts_unknown.", "0", parsed(&c.metrics.MaxPairs, parseCount))
	c.app.Flag("state.file", "File in which what was learned survives a restart: lost records and since when, how groups and brokers behave, how wrong forecasts were. None is kept if empty.").StringVar(&c.stateFile)
	c.web = kingpinflag.AddFlags(c.app, ":10059")
	logflag.AddFlags(c.app, &c.log)
	c.subcommands()
	c.rulesFlags()
	return c
}

func (c *commandLine) kafkaFlags() {
	c.flag("kafka.brokers", "Brokers to ask first, as host:port,host:port.", "", parsed(&c.brokers, parseList))
	c.app.Flag("kafka.tls.enabled", "Connect to brokers with TLS.").BoolVar(&c.tls.enabled)
	c.app.Flag("kafka.tls.ca-file", "PEM file with the authorities that may have signed the brokers' certificates, instead of the system's.").StringVar(&c.tls.caFile)
	c.app.Flag("kafka.tls.cert-file", "PEM file with the certificate to show to brokers.").StringVar(&c.tls.certFile)
	c.app.Flag("kafka.tls.key-file", "PEM file with the key of that certificate.").StringVar(&c.tls.keyFile)
	c.app.Flag("kafka.tls.server-name", "Name to expect in the brokers' certificates, instead of the one connected to.").StringVar(&c.tls.serverName)
	c.app.Flag("kafka.tls.insecure-skip-verify", "Do not check the brokers' certificates.").BoolVar(&c.tls.insecureSkipVerify)
	c.saslFlags()
}

func (c *commandLine) saslFlags() {
	flag := func(name, help string) *kingpin.FlagClause { return c.app.Flag("kafka.sasl."+name, help) }
	flag("mechanism", "How to log in: "+strings.Join(login.Mechanisms(), ", ")+"; not at all if empty.").StringVar(&c.sasl.Mechanism)
	flag("username", "User to log in as; the client id at a token service; the principal without its realm.").StringVar(&c.sasl.Username)
	flag("password-file", "File with the password or the client secret, read at each login; the environment variable "+login.PasswordVariable+" may hold it instead.").StringVar(&c.sasl.PasswordFile)
	flag("token-file", "OAUTHBEARER: file with the token, read at each login.").StringVar(&c.sasl.TokenFile)
	flag("token-url", "OAUTHBEARER: service that gives a token for client id and secret.").StringVar(&c.sasl.TokenURL)
	flag("token-scope", "OAUTHBEARER: scopes to ask that service for, with spaces between them.").StringVar(&c.sasl.TokenScope)
	flag("token-audience", "OAUTHBEARER: audience to ask that service for.").StringVar(&c.sasl.TokenAudience)
	flag("krb5-file", "GSSAPI: configuration of Kerberos.").Default("/etc/krb5.conf").StringVar(&c.sasl.Kerberos.ConfigFile)
	flag("keytab-file", "GSSAPI: keytab to log in with, instead of a password, read at each login.").StringVar(&c.sasl.Kerberos.KeytabFile)
	flag("realm", "GSSAPI: realm of the user, if it is not the configuration's default.").StringVar(&c.sasl.Kerberos.Realm)
	flag("service", "GSSAPI: first part of the brokers' principals.").Default("kafka").StringVar(&c.sasl.Kerberos.Service)
}

func (c *commandLine) filterFlags() {
	c.flag("topic.include", "Regular expression for the topics to watch, matched anywhere in the name.", "", parsed(&c.topics.include, parsePattern))
	c.flag("topic.exclude", "Regular expression for the topics to leave out; wins over --topic.include.", "", parsed(&c.topics.exclude, parsePattern))
	c.flag("group.include", "Regular expression for the groups to watch, matched anywhere in the name.", "", parsed(&c.groups.include, parsePattern))
	c.flag("group.exclude", "Regular expression for the groups to leave out; wins over --group.include.", "", parsed(&c.groups.exclude, parsePattern))
	c.app.Flag("cluster.group", "Consumer group by which several exporters divide the cluster among themselves; each watches the groups and topics that fall to it. One watches everything if empty.").StringVar(&c.divisionGroup)
	c.app.Flag("offsets.topic", "Read "+model.OffsetsTopic+" for when groups committed, which needs Read on it: the expiry of offsets is then exact, and the pace of groups known at the start.").BoolVar(&c.offsetsTopic)
	c.app.Flag("topic.internal", "Watch internal topics, like __consumer_offsets, too.").BoolVar(&c.internalTopics)
}

// flag defines a flag whose value is parsed by p, so that an error names the flag.
func (c *commandLine) flag(name, help, byDefault string, p parsing) {
	clause := c.app.Flag(name, help)
	if byDefault != "" {
		clause = clause.Default(byDefault)
	}
	clause.SetValue(&namedValue{name: name, parse: p})
}

// parsing turns a flag's text into a setting.
type parsing func(text string) error

func parsed[T any](target *T, parse func(string) (T, error)) parsing {
	return func(text string) error {
		v, err := parse(text)
		if err == nil {
			*target = v
		}
		return err
	}
}

func parseList(s string) ([]string, error) {
	var list []string
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list, nil
}

func parseCount(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("must be a whole number, 0 or more (got %q)", s)
	}
	return n, nil
}

// parsePattern reads a regular expression; the empty one means "not set".
func parsePattern(s string) (*regexp.Regexp, error) {
	if s == "" {
		return nil, nil
	}
	return regexp.Compile(s)
}
