package invariants_test

import (
	"strings"
	"testing"

	"kafka-retention-exporter/test/invariants"
)

const labels = `{consumergroup="g",topic="t",partition="0"}`

// TestViolationsAreFound starts from a page on which all is well, breaks one thing and expects
// the finding that names it.
func TestViolationsAreFound(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"all is well":            {"", "", ""},
		"NaN":                    {"retention_used_ratio" + labels + " 0.5", "retention_used_ratio" + labels + " NaN", "is NaN"},
		"minus one":              {"committed_offset" + labels + " 60", "committed_offset" + labels + " -1", "is -1"},
		"floor after stopped":    {"floor_timestamp_seconds" + labels + " 900", "floor_timestamp_seconds" + labels + " 960", "is later than stopped_loss_timestamp_seconds"},
		"loss after latest":      {"group_loss_timestamp_seconds" + labels + " 1000", "group_loss_timestamp_seconds" + labels + " 1001", "is later than loss_latest"},
		"reason missing":         {`kafka_retention_forecasts_unknown{reason="limit"} 0`, "", "has the reasons"},
		"stage missing":          {`kafka_retention_poll_failures_total{stage="ends"} 0`, "", "has the stages"},
		"state unknown":          {`state="stalled"`, `state="lazy"`, `has the state "lazy"`},
		"lost off its instant":   {`state="stalled"`, `state="lost"`, "lost, but loss_earliest"},
		"pair without a reason":  {"kafka_retention_group_loss_timestamp_seconds" + labels + " 1000", "", "1 pairs without loss instant, forecasts_unknown counts only 0"},
		"nothing unread at risk": {"lag_records" + labels + " 40", "lag_records" + labels + " 0", "nothing unread, but loss_timestamp_seconds"},
		"up missing":             {"kafka_retention_up 1", "", "kafka_retention_up is missing"},
		"lost counter missing":   {"kafka_retention_group_lost_records_total" + labels + " 0", "", "lost_records_total is missing"},
		"time left alone":        {"kafka_retention_group_loss_timestamp_seconds" + labels + " 1000", "kafka_retention_group_loss_timestamp_seconds" + labels + " +Inf", "beside time_to_loss_seconds"},
	} {
		t.Run(name, func(t *testing.T) {
			page := goodPage()
			if !strings.Contains(page, c.from) {
				t.Fatalf("the page has no %q", c.from)
			}
			err := invariants.New().Check(strings.NewReader(strings.Replace(page, c.from, c.to, 1)))
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want something with %q", err, c.want)
			}
		})
	}
}

func TestPagesAreComparedWithTheOnesBefore(t *testing.T) {
	const (
		counter  = "kafka_retention_group_lost_records_total" + labels
		counted  = "\n" + counter
		position = "\nkafka_retention_group_committed_offset" + labels
		moves    = "lost at 700.000000 on the page before, at 701.000000 now"
	)
	for name, c := range map[string]struct{ first, second, want string }{
		"counter falls":                  {counter + " 5", counter + " 4", "fell from 5.000000 to 4.000000"},
		"counter rises":                  {counter + " 5", counter + " 6", ""},
		"loss instant moves":             {lostAt("700"), lostAt("701"), moves},
		"loss instant stays":             {lostAt("700"), lostAt("700"), ""},
		"recovered and lost again":       {lostAt("700") + position + " 5", lostAt("701") + position + " 9", ""},
		"lost more from where it stands": {lostAt("700") + position + " 5" + counted + " 5", lostAt("701") + position + " 5" + counted + " 6", moves},
		"by topic it may have recovered": {lostAt("700") + counted + " 5", lostAt("701") + counted + " 6", ""},
		"by topic it cannot have":        {lostAt("700") + counted + " 5", lostAt("701") + counted + " 5", moves},
	} {
		t.Run(name, func(t *testing.T) {
			checker := invariants.New()
			page := func(extra string) *strings.Reader {
				return strings.NewReader(frame + extra + "\n")
			}
			_ = checker.Check(page(c.first)) // incomplete pages: only the comparison is of interest
			err := checker.Check(page(c.second))
			text := ""
			if err != nil {
				text = err.Error()
			}
			moved := strings.Contains(text, "fell from") || strings.Contains(text, "on the page before")
			if moved != (c.want != "") || !strings.Contains(text, c.want) {
				t.Errorf("got %q, want %q in it, or neither finding", text, c.want)
			}
		})
	}
}

func lostAt(at string) string {
	return `kafka_retention_group_state{consumergroup="g",topic="t",partition="0",state="lost"} 1` + "\n" +
		"kafka_retention_group_loss_timestamp_seconds" + labels + " " + at
}

// frame is what stands on every page.
const frame = `# TYPE kafka_retention_up gauge
kafka_retention_up 1
# TYPE kafka_retention_group_lost_records_total counter
`

func goodPage() string {
	var b strings.Builder
	b.WriteString("kafka_retention_up 1\n")
	for r := range strings.FieldsSeq("beyond_end broker_unverified config_unreadable expired_position limit no_commit no_timestamps not_enough_history recreated single_offset_gap size_unreadable stale unreadable unsupported_group") {
		b.WriteString(`kafka_retention_forecasts_unknown{reason="` + r + "\"} 0\n")
	}
	for s := range strings.FieldsSeq("metadata configs groups offsets log_starts ends log_dirs times replicas") {
		b.WriteString(`kafka_retention_poll_failures_total{stage="` + s + "\"} 0\n")
	}
	for _, sample := range []string{
		"committed_offset L 60", "lag_records L 40", "retention_used_ratio L 0.5", "time_to_loss_seconds L 500", "lost_records_total L 0",
		"stopped_loss_floor_timestamp_seconds L 900", "stopped_loss_timestamp_seconds L 950",
		"loss_earliest_timestamp_seconds L 950", "loss_timestamp_seconds L 1000", "loss_latest_timestamp_seconds L 1000",
	} {
		b.WriteString("kafka_retention_group_" + strings.Replace(sample, " L", labels, 1) + "\n")
	}
	b.WriteString(`kafka_retention_group_state{consumergroup="g",topic="t",partition="0",state="stalled"} 1` + "\n")
	return b.String()
}
