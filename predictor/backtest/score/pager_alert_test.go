package score

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/model"
)

// The pager's constants are those of the alert as it is shipped.
func TestPagerIsTheShippedAlert(t *testing.T) {
	text, err := alerts.Render(alerts.Default())
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Groups []struct {
			Rules []struct {
				Alert         string
				Expr          string
				For           string
				KeepFiringFor string `yaml:"keep_firing_for"`
				Labels        map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	parts := map[string]struct {
		part model.Millis
		wait model.Millis
	}{"critical": {pagePart, pageWait}, "warning": {warnPart, warnWait}}
	found := 0
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			if r.Alert != "KafkaRetentionLossPredicted" {
				continue
			}
			found++
			own := parts[r.Labels["severity"]]
			if got := duration(t, r.For); got != own.wait {
				t.Errorf("%s waits %v, the pager %v", r.Labels["severity"], got, own.wait)
			}
			if got := duration(t, r.KeepFiringFor); got != linger {
				t.Errorf("%s lingers %v, the pager %v", r.Labels["severity"], got, linger)
			}
			// On topics that keep a day the constant and the part of the retention are the same but
			// for the warning, whose constant is a day.
			for _, want := range []string{
				fmt.Sprintf("topic:kafka_retention_topic_retention_seconds:min / %d\n", own.part),
				fmt.Sprintf("topic:kafka_retention_topic_retention_seconds:min * %v / %d\n", margin, own.part),
			} {
				if !strings.Contains(r.Expr, want) {
					t.Errorf("%s: %q is not in\n%s", r.Labels["severity"], want, r.Expr)
				}
			}
		}
	}
	if found != 2 {
		t.Errorf("found %d of 2 severities", found)
	}
}

func duration(t *testing.T, text string) model.Millis {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return model.MillisOf(d)
}
