package score_test

import (
	"strings"
	"testing"

	"kafka-retention-exporter/test/score"
)

// losing is a run of ten pairs that lose records at 100 s and ten that do not.
func losing() score.Run {
	r := score.Run{From: at(0), To: at(180), Scale: 60.0 / 86400}
	for name := range strings.FieldsSeq("a b c d e f g h i j") {
		r.Fates = append(r.Fates, score.Fate{Pair: name, Losses: instants(100)}, score.Fate{Pair: "healthy " + name})
	}
	return r
}

// every has the first pages of losing at 92 s, and false ones of as many healthy pairs.
func every(recalled, falsely int) score.Alarms {
	all := score.Alarms{}
	for i, name := range strings.Fields("a b c d e f g h i j") {
		if i < recalled {
			all[name] = spans(92, 101)
		}
		if i < falsely {
			all["healthy "+name] = spans(20, 21)
		}
	}
	return all
}

func TestBoard(t *testing.T) {
	for name, c := range map[string]struct {
		shipped, today score.Alarms
		broken         string // parts of the lines of Broken, one after the other
	}{
		"better than both":        {every(10, 2), every(10, 3), ""},
		"an episode missed":       {every(9, 0), every(9, 3), "recall: 9 of 10"},
		"one false page too many": {every(10, 3), every(10, 4), "precision: 10 of 13"},
		"as good as the others":   {every(10, 1), every(10, 1), "no better than 0.91 of lag > 10, no better than 0.91 of lag higher"},
		"nothing fires":           {nil, nil, "recall: 0 of 10, precision: 0 of 0, no better than 0.00 of lag > 10, no better than"},
	} {
		t.Run(name, func(t *testing.T) {
			var b score.Board
			b.Add(losing(), func(s score.Set) score.Alarms {
				if s.Has(map[string]string{"alertname": "KafkaRetentionLossPredicted", "severity": "critical"}) {
					return c.shipped
				}
				return c.today
			})
			broken := b.Broken()
			rest := strings.Join(broken, "\n")
			for part := range strings.SplitSeq(c.broken, ", ") {
				_, after, found := strings.Cut(rest, part)
				if !found {
					t.Errorf("%q is not in, or not in order in, %q", part, broken)
				}
				rest = after
			}
			if c.broken == "" && len(broken) > 0 {
				t.Errorf("broken: %q", broken)
			}
		})
	}
}

func TestBoardOfNothingIsBroken(t *testing.T) {
	var b score.Board
	if broken := b.Broken(); len(broken) != 1 || !strings.Contains(b.Text(), "Nothing") {
		t.Errorf("broken: %q, %s", broken, b.Text())
	}
}

// The setting that stands for a rule is the best of all, over all runs together.
func TestBoardChoosesTheBestSetting(t *testing.T) {
	var b score.Board
	for range 2 {
		b.Add(losing(), func(s score.Set) score.Alarms {
			switch {
			case s.Name == "lag > 30":
				return every(9, 3)
			case s.Name == "lag > 40":
				return every(10, 9)
			case s.Has(map[string]string{"alertname": "KafkaRetentionLossPredicted", "severity": "critical"}):
				return every(10, 0)
			}
			return every(1, 0)
		})
	}
	text := b.Text()
	for _, want := range []string{
		"40 pairs, of which 20 lost records in 2 runs at a retention of 1m0s, 1m0s; together that is 120 pair-days",
		"| **shipped pages**: `KafkaRetentionLossPredicted` (critical), `KafkaRetentionLossCertain` | 100 % (20 of 20) | 100 % (20 of 20) | 20 / 0 / 0 | 3.2 / 3.2 / 3.2 h | 0.00 | 0 |",
		"| lag > 30 (the best setting) | 90 % (18 of 20) | 75 % (18 of 24) | 18 / 0 / 6 |",
		"| lag > 40 (the most precise that recalls 95 %) | 100 % (20 of 20) | 53 % (20 of 38) | 20 / 0 / 18 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestRuleFile(t *testing.T) {
	text, err := score.RuleFile([]byte("groups:\n- name: shipped\n  rules:\n  - alert: A\n    expr: up == 0\n"), score.Families(60.0/86400)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"groups:\n    - name: shipped\n      rules:\n        - alert: A\n          expr: up == 0\n    - name: LagAboveConstant\n",
		"- alert: LagAboveConstant\n          expr: max without (instance, pod) (kafka_retention_group_lag_records) > 270\n          for: 0ms\n          labels:\n            candidate: \"26\"\n",
		"expr: delta(kafka_retention_group_lag_records[10000ms]) > 0\n          for: 0ms\n",     // 4 h
		"expr: delta(kafka_retention_group_lag_records[30000ms]) > 0\n          for: 10000ms\n", // 12 h, for 4 h
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%.2000s", want, text)
		}
	}
}
