package main

import "kafka-retention-exporter/alerts"

const rulesCommand = "rules"

// rulesFlags defines the command that writes alert rules. It asks nobody.
func (c *commandLine) rulesFlags() {
	r, byDefault := &c.rules, alerts.Default()
	r.Options = byDefault
	rules := c.app.Command(rulesCommand, "Write the alert rules for the thresholds given.")
	rules.Flag("warn", "A loss within this time, or within half the retention if that is shorter, is a warning.").Default("24h").DurationVar(&r.Warn)
	rules.Flag("page", "A loss within this time, or within a sixth of the retention if that is shorter, is critical.").Default("4h").DurationVar(&r.Page)
	rules.Flag("used", "Share of the retention that lag may use before it is a warning.").Default("0.5").Float64Var(&r.Used)
	rules.Flag("scale", "Factor for every duration in the rules, for retentions of minutes.").Default("1").Float64Var(&r.Scale)
	rules.Flag("runbooks", "URL under which the runbooks are.").Default(byDefault.Runbooks).StringVar(&r.Runbooks)
	rules.Flag("overrides", "YAML file of groups and topics with thresholds, severity and owner of their own.").StringVar(&r.OverridesFile)
	rules.Flag("format", "prometheus or kubernetes.").Default(alerts.FormatPrometheus).EnumVar(&r.Format, alerts.FormatPrometheus, alerts.FormatKubernetes)
}
