package monitoring

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/examples"
)

// Nobody is an address on which nobody listens, for an Alertmanager that is not wanted.
const Nobody = "127.0.0.1:9"

// PrometheusConfig is that of examples/prometheus with another exporter, rule file and Alertmanager
// (host:port), and a scrape and an evaluation every second.
func PrometheusConfig(exporter, rules, alertmanager string) (string, error) {
	return replaced(examples.PrometheusConfig,
		"kafka-retention-exporter:10059", exporter,
		"../../alerts/rules.yml", rules,
		"alertmanager:9093", alertmanager,
		"_interval: 30s", "_interval: 1s")
}

// AlertmanagerConfig is the example of package alerts with another receiver (host:port), and with
// waits shortened by the scale of the rules, to not less than a second.
func AlertmanagerConfig(receiver string, scale float64) (string, error) {
	config, err := replaced(alerts.ExampleConfig, "127.0.0.1:9099", receiver)
	if err != nil {
		return "", err
	}
	wait := regexp.MustCompile(`(group_wait|group_interval): (\w+)`)
	return wait.ReplaceAllStringFunc(config, func(setting string) string {
		found := wait.FindStringSubmatch(setting)
		whole, _ := time.ParseDuration(found[2]) // of hours and less; amtool would have refused anything else
		short := max(time.Second, time.Duration(float64(whole)*scale))
		return fmt.Sprintf("%s: %dms", found[1], short.Milliseconds())
	}), nil
}

// replaced puts texts in the place of others, each of which has to be there.
func replaced(text string, pairs ...string) (string, error) {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			return "", fmt.Errorf("adapt the example configuration: no %q in it", pairs[i])
		}
	}
	return strings.NewReplacer(pairs...).Replace(text), nil
}
