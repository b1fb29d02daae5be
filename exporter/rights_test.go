package exporter_test

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kafka-retention-exporter/model"
)

// TestMissingRightsAreReportedAtTheStart: each with what it costs, once.
func TestMissingRightsAreReportedAtTheStart(t *testing.T) {
	refusal := func(stage model.Stage, cause string) model.Problem {
		return model.Problem{Stage: stage, Cause: cause, Topic: "orders", Group: "billing", Broker: 1, HasBroker: true, Count: 1}
	}
	for name, c := range map[string]struct {
		change func(*model.Snapshot)
		want   []string
	}{
		"all there":          {change: func(*model.Snapshot) {}},
		"hidden topics":      {change: func(s *model.Snapshot) { s.TopicsHidden = 3 }, want: []string{`right="Describe on a topic" of=3`}},
		"topics":             {change: problems(refusal(model.StageEnds, "TOPIC_AUTHORIZATION_FAILED"), refusal(model.StageLogStarts, "TOPIC_AUTHORIZATION_FAILED")), want: []string{`right="Describe on a topic" of=1`}},
		"groups":             {change: problems(refusal(model.StageOffsets, "GROUP_AUTHORIZATION_FAILED")), want: []string{`right="Describe on a group" of=1`}},
		"cluster":            {change: problems(refusal(model.StageLogDirs, "CLUSTER_AUTHORIZATION_FAILED")), want: []string{`right="Describe on the cluster" of=1`}},
		"part of the work":   {change: problems(model.Problem{Stage: model.StageGroups, Cause: "GROUP_AUTHORIZATION_FAILED", Group: "exporters", Count: 1}), want: []string{`right="Read on the group of --cluster.group" of=1`}},
		"settings of topics": {change: problems(refusal(model.StageConfigs, "TOPIC_AUTHORIZATION_FAILED")), want: []string{`right="DescribeConfigs on a topic" of=1`}},
		"the topic of offsets": {
			change: problems(model.Problem{Stage: model.StageOffsets, Cause: "TOPIC_AUTHORIZATION_FAILED", Topic: model.OffsetsTopic, Count: 1}),
			want:   []string{`right="Read on __consumer_offsets for --offsets.topic" of=1 costs="when groups committed`},
		},
		"settings of brokers": {
			change: problems(refusal(model.StageConfigs, "CLUSTER_AUTHORIZATION_FAILED")),
			want:   []string{`right="DescribeConfigs on the cluster" of=1 costs="the brokers' check interval: 300 s is assumed`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, 30*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
					s := healthyCluster(now)
					c.change(s)
					return s
				})
				r.start()
				time.Sleep(95 * time.Second)
				synctest.Wait()
				var said []string
				for line := range strings.Lines(r.log.String()) {
					if strings.Contains(line, "A right is missing") {
						said = append(said, line)
					}
				}
				if len(said) != len(c.want) {
					t.Fatalf("said %q, want %q", said, c.want)
				}
				for i := range c.want {
					if !strings.Contains(said[i], c.want[i]) {
						t.Errorf("said %q, want %q", said[i], c.want[i])
					}
				}
			})
		})
	}
}

// TestRightThatIsRefusedLaterIsReportedThen: once, and not what is merely new and hidden.
func TestRightThatIsRefusedLaterIsReportedThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		r := newRig(t, 30*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			s := healthyCluster(now)
			if time.Since(begin) > time.Minute {
				s.TopicsHidden = 1
				s.Problems = []model.Problem{{Stage: model.StageConfigs, Cause: "TOPIC_AUTHORIZATION_FAILED", Topic: "orders", Broker: 1, HasBroker: true, Count: 1}}
			}
			return s
		})
		r.start()
		time.Sleep(50 * time.Second)
		synctest.Wait()
		if log := r.log.String(); strings.Contains(log, "A right is missing") {
			t.Errorf("reported before it was refused: %s", log)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if log := r.log.String(); strings.Count(log, "A right is missing") != 1 || !strings.Contains(log, `right="DescribeConfigs on a topic"`) {
			t.Errorf("the log does not report the settings of a topic, and them alone: %s", log)
		}
	})
}

// TestRightsAreThoseOfTheReadme: the log and the README call a right by the same name.
func TestRightsAreThoseOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"| Describe on a topic |", "| Describe on a group |", "| Describe on the cluster |", "| DescribeConfigs on a topic |", "| DescribeConfigs on the cluster |", "| Read on the group of `--cluster.group`", "| Read on __consumer_offsets for `--offsets.topic`"} {
		if !strings.Contains(string(readme), row) {
			t.Errorf("README has no %q", row)
		}
	}
}

func TestWhatIsHiddenIsCounted(t *testing.T) {
	page := pageOf(t, func(now model.Instant) *model.Snapshot {
		s := healthyCluster(now)
		s.TopicsHidden, s.GroupsHidden = 4, 2
		return s
	})
	has(t, page, `kafka_retention_hidden{kind="groups"} 2`, `kafka_retention_hidden{kind="topics"} 4`)
}
