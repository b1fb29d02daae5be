package exporter_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kafka-retention-exporter/model"
)

// TestLogSaysEachTroubleOnce plays polls and compares all lines that were written.
func TestLogSaysEachTroubleOnce(t *testing.T) {
	denied := func(topic string) model.Problem {
		return model.Problem{Stage: model.StageEnds, Cause: "TOPIC_AUTHORIZATION_FAILED", Topic: topic, Broker: 1, HasBroker: true, Count: 1}
	}
	silent := model.Problem{Stage: model.StageOffsets, Cause: "deadline", Broker: 2, HasBroker: true, Detail: "read offsets: context deadline exceeded", Count: 30}
	for name, c := range map[string]struct {
		polls []func(*model.Snapshot)
		want  []string
	}{
		"a cause over many partitions and polls is one line": {
			polls: []func(*model.Snapshot){
				problems(denied("a"), denied("b"), silent), problems(denied("a"), silent), problems(denied("a")), problems(denied("a")),
			},
			want: []string{
				`level=WARN msg="A right is missing" right="Describe on a topic" of=2 costs="these topics, of which nothing is known but that they are there"`,
				`level=WARN msg="Could not read everything" cause=TOPIC_AUTHORIZATION_FAILED stages=ends brokers=[1] count=2`,
				`level=WARN msg="Could not read everything" cause=deadline stages=offsets brokers=[2] count=30 err="read offsets: context deadline exceeded"`,
				`level=INFO msg="No longer so" cause=deadline after=30s`,
			},
		},
		"what comes and goes is one trouble": {
			polls: []func(*model.Snapshot){problems(silent), problems(), problems(silent), problems(), problems(silent)},
			want:  []string{`level=WARN msg="Could not read everything" cause=deadline stages=offsets brokers=[2] count=30 err="read offsets: context deadline exceeded"`},
		},
		"no groups visible is said once": {
			polls: []func(*model.Snapshot){noGroups(0), noGroups(0), noGroups(0)},
			want:  []string{`level=WARN msg="0 groups visible: there are none, or DESCRIBE on groups or the cluster is missing" cause=no_groups_visible count=0`},
		},
		"filters that let nothing through are said once": {
			polls: []func(*model.Snapshot){noGroups(7), noGroups(7)},
			want:  []string{`level=WARN msg="0 groups watched: the group filters let none through" cause=no_groups_watched count=7`},
		},
		"a healthy cluster is not worth a line": {polls: []func(*model.Snapshot){problems(), problems()}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				polled := 0
				r := newRig(t, 10*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
					s := healthyCluster(now)
					c.polls[min(polled, len(c.polls)-1)](s)
					polled++
					return s
				})
				r.start()
				time.Sleep(time.Duration(len(c.polls)-1)*10*time.Second + time.Second)
				synctest.Wait()
				if got, want := r.log.String(), strings.Join(append(c.want, ""), "\n"); got != want {
					t.Errorf("log:\n%swant:\n%s", got, want)
				}
			})
		})
	}
}

func problems(list ...model.Problem) func(*model.Snapshot) {
	return func(s *model.Snapshot) { s.Problems = list }
}

func noGroups(seen int) func(*model.Snapshot) {
	return func(s *model.Snapshot) { s.Groups, s.GroupsSeen = nil, seen }
}
