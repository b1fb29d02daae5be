package answers_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

const noon = model.Instant(1_700_000_000_123)

var key = model.PartitionKey{Topic: "orders", Partition: 3}

func forecast(group string, loss model.Maybe[model.Instant]) predictor.Forecast {
	return predictor.Forecast{Key: model.PairKey{Group: group, PartitionKey: key}, Loss: loss, Lag: model.Known(model.Offset(40)), Rule: model.Known(predictor.BySize)}
}

func TestExitCodeOfACheck(t *testing.T) {
	risk := forecast("late", model.Known(noon.Add(1000)))
	calm := forecast("calm", model.Known(model.Forever))
	open := predictor.Forecast{Key: risk.Key, Reason: model.Known(predictor.NoCommit)}
	for name, c := range map[string]struct {
		report *predictor.Report
		want   int
	}{
		"no broker answers":       {nil, answers.ExitUnsure},
		"nothing at risk":         {&predictor.Report{At: noon, Pairs: []predictor.Forecast{calm}}, answers.ExitSafe},
		"one at risk":             {&predictor.Report{At: noon, Pairs: []predictor.Forecast{calm, risk}}, answers.ExitRisk},
		"one cannot be told":      {&predictor.Report{At: noon, Pairs: []predictor.Forecast{calm, open}}, answers.ExitUnsure},
		"a risk wins over unsure": {&predictor.Report{At: noon, Pairs: []predictor.Forecast{open, risk}}, answers.ExitRisk},
		"a group that is unknown": {&predictor.Report{At: noon, UnknownGroups: map[string]predictor.Reason{"s": predictor.UnsupportedGroup}}, answers.ExitUnsure},
	} {
		t.Run(name, func(t *testing.T) {
			if got := answers.NewCheck(nil, c.report, nil, 60_000).Exit; got != c.want {
				t.Errorf("exit %d, want %d", got, c.want)
			}
		})
	}
}

func TestExitCodeOfAPlan(t *testing.T) {
	full := func(m model.Maybe[model.Instant]) advice.Need {
		return advice.Need{Topics: []advice.TopicNeed{{Topic: "t"}}, Volumes: []advice.Volume{{Broker: 1, Full: m}}}
	}
	unsure := full(model.Known(model.Forever))
	unsure.Unsure = []string{"t/0"}
	for name, c := range map[string]struct {
		need  advice.Need
		asked bool
		want  int
	}{
		"room everywhere":         {full(model.Known(model.Forever)), true, answers.ExitSafe},
		"a volume fills up":       {full(model.Known(noon)), false, answers.ExitRisk},
		"a volume is unknown":     {full(model.Maybe[model.Instant]{}), false, answers.ExitUnsure},
		"the topic is unknown":    {unsure, true, answers.ExitUnsure},
		"some topic is unknown":   {unsure, false, answers.ExitSafe},
		"nothing is known at all": {advice.Need{}, false, answers.ExitUnsure},
	} {
		t.Run(name, func(t *testing.T) {
			if got := answers.NewPlan(c.need, c.asked).Exit; got != c.want {
				t.Errorf("exit %d, want %d", got, c.want)
			}
		})
	}
}

func outcome() advice.Outcome {
	change, err := advice.ParseChange("retention.ms=1000")
	if err != nil {
		panic(err)
	}
	return advice.Outcome{
		Topic: "orders", Changes: []advice.Change{change},
		Partitions: []advice.Pass{{Key: key, At: noon, Latest: noon.Add(1000), Segments: 2, Start: 10, After: 50, Bytes: 4000, AllReplicas: 12_000, DiskBack: noon.Add(60_000), Rules: []model.Rule{model.RuleSize, model.RuleTime}}},
		Losing:     []advice.Loss{{Group: "late", Key: key, From: 20, To: 50, Bytes: 3000, UpTo: model.Known(noon)}},
		Safe:       []string{"calm"},
		Smallest:   advice.Smallest{RetentionMs: model.Known(model.Millis(7200)), Lag: advice.Lag{Time: 3600, Group: "late"}},
	}
}

// TestAnswersReadBackAsTheyWereWritten is what --from relies on.
func TestAnswersReadBackAsTheyWereWritten(t *testing.T) {
	report := &predictor.Report{At: noon, Pairs: []predictor.Forecast{forecast("late", model.Known(noon.Add(1000))), forecast("lost", model.Known(noon.Add(-1000)))}}
	check := answers.NewCheck(nil, report, []advice.Finding{{Topic: "orders", Kind: advice.FutureStamp, Evidence: "e", Consequence: "c", Cure: []string{"x"}}}, 60_000)
	check.Risks[0].Floor = answers.When{Maybe: model.Known(model.Forever)}
	same(t, check)
	same(t, answers.NewWhatIf([]advice.Outcome{outcome()}, 2))
	same(t, answers.NewPlan(advice.Need{
		Topics:  []advice.TopicNeed{{Topic: "t", Partitions: []advice.PartitionNeed{{Key: key, Rate: 1.5, Now: model.Known(model.Bytes(7)), Steady: advice.Steady{Rule: model.RuleTime, Most: 9}}}}},
		Volumes: []advice.Volume{{Broker: 1, Dir: "/d", Full: model.Known(noon)}},
	}, true))
}

func same[T any](t *testing.T, answer T) {
	t.Helper()
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var back T
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(answer, back) {
		t.Errorf("read back %+v, was %+v, from %s", back, answer, text)
	}
}

func TestTables(t *testing.T) {
	report := &predictor.Report{At: noon, Pairs: []predictor.Forecast{
		forecast("late", model.Known(noon.Add(1000))), {Key: model.PairKey{Group: "new", PartitionKey: key}, Reason: model.Known(predictor.NoCommit)},
	}}
	check := answers.NewCheck(nil, report, []advice.Finding{{Topic: "orders", Kind: advice.Uncovered, Evidence: "seen", Consequence: "so", Cure: []string{"first", "second"}}}, 60_000)
	for name, c := range map[string]struct {
		table func(*strings.Builder) error
		want  []string
	}{
		"check": {func(b *strings.Builder) error { return check.Table(b) }, []string{
			"2023-11-14 22:13:21.123", "late", "orders/3", "at risk", "size", "cannot tell: new orders/3: no commit", "orders: uncovered", "cure: first", "or:   second",
		}},
		"whatif": {func(b *strings.Builder) error { return answers.NewWhatIf([]advice.Outcome{outcome()}, 2).Table(b) }, []string{
			"orders with retention.ms=1000", "10 -> 50", "size+time", "12000 bytes of disk come back", "2023-11-14 22:14:20.123", "20 to 49", "Safe: calm", "2 x the largest lag (3600 ms, late): retention.ms=7200, retention.bytes=unknown",
		}},
		"calm check": {func(b *strings.Builder) error {
			return answers.NewCheck(nil, &predictor.Report{At: noon}, nil, 1).Table(b)
		}, []string{"No group is at risk."}},
		"plan": {func(b *strings.Builder) error {
			return answers.NewPlan(advice.Need{Volumes: []advice.Volume{{Broker: 7, Dir: "/d", Full: model.Known(model.Forever)}}}, false).Table(b)
		}, []string{"/d", "never", "unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := c.table(&b); err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("lacks %q:\n%s", want, b.String())
				}
			}
		})
	}
}
