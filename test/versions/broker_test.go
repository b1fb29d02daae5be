package versions

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

// TestReleaseDeletesAsForecast lets each release delete what a group that stopped has not read, and
// holds floor, runway and the count of what is lost against it. The oldest release is always
// played, with KRE_FULL=1 all of them.
func TestReleaseDeletesAsForecast(t *testing.T) {
	kafkatest.Require(t)
	for _, version := range []string{"3.9.2", "4.0.1", "4.1.2", "4.2.2", "4.3.1", "4.4.0"} {
		t.Run(version, func(t *testing.T) {
			if version != "3.9.2" && os.Getenv("KRE_FULL") != "1" {
				t.Skip("left out: KRE_FULL=1 plays every release")
			}
			play(t, version)
		})
	}
}

const topic, retention = "aged", 10 * time.Second

func play(t *testing.T, version string) {
	c := kafkatest.Start(t, kafkatest.Options{Version: version})
	ctx := c.Context(3 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic, Configs: map[string]string{"retention.ms": "10000", "segment.ms": "1000"}}))
	truth := c.Truth(50*time.Millisecond, kafkatest.Key{Topic: topic})
	w := watch.New(t, c.Addresses(), time.Second)

	producing, stop := context.WithCancel(ctx)
	defer stop()
	go produce(producing, c)
	position := commitHere(ctx, c, truth)
	said := watchUntilLost(ctx, t, w)

	lost, ok := truth.Passed(kafkatest.Key{Topic: topic}, position)
	if !ok {
		t.Fatalf("offset %d is not deleted, and is said to be", position)
	}
	judge(t, said, lost)
	if got := said[len(said)-1].release; !strings.HasPrefix(version, got) || got == "" {
		t.Errorf("Kafka %s is taken for %q", version, got)
	}
}

func produce(ctx context.Context, c *kafkatest.Cluster) {
	for ctx.Err() == nil {
		if _, err := c.Produce(ctx, topic, 0, 100, time.Now()); err != nil && ctx.Err() == nil {
			c.Must(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// commitHere has a group read for some seconds and stop; it returns where.
func commitHere(ctx context.Context, c *kafkatest.Cluster, truth *kafkatest.Truth) (position int64) {
	for range 4 {
		time.Sleep(time.Second)
		if s, ok := truth.Last(kafkatest.Key{Topic: topic}); ok {
			position = s.End
		}
		c.Must(c.Commit(ctx, "stopped", topic, 0, position))
	}
	return position
}

// saying is what one poll said about the group.
type saying struct {
	at      model.Instant
	release string
	predictor.Forecast
}

// watchUntilLost polls until the group is said to have lost records.
func watchUntilLost(ctx context.Context, t *testing.T, w *watch.Watch) (said []saying) {
	t.Helper()
	for end := time.Now().Add(4 * retention); time.Now().Before(end); time.Sleep(time.Second) {
		sight := w.Poll(ctx)
		if len(sight.Snapshot.Problems) > 0 {
			t.Errorf("problems: %+v", sight.Snapshot.Problems)
		}
		f, ok := sight.Pair("stopped", topic)
		if !ok {
			continue
		}
		release, _ := sight.Snapshot.Brokers[1].Version.Get()
		said = append(said, saying{sight.Report.At, release, f})
		if state, _ := f.State.Get(); state == predictor.Lost {
			return said
		}
	}
	t.Fatalf("nothing was lost within %v", 4*retention)
	return nil
}

// judge: no floor is late, the runway is right to a segment, a pass and a poll, and what was lost
// is counted.
func judge(t *testing.T, said []saying, lost kafkatest.Change) {
	t.Helper()
	floors, runways := 0, 0
	for _, s := range said[:len(said)-1] {
		if floor, ok := s.Floor.Get(); ok {
			floors++
			if floor > model.InstantOf(lost.Before) {
				t.Errorf("at %v the floor was %v, and the record went before %v", s.at, floor, lost.Before)
			}
		}
		stopped, ok := s.Stopped.Get()
		if left := model.InstantOf(lost.Before).Sub(s.at); !ok || left > model.MillisOf(retention/2) {
			continue
		}
		runways++
		if off := stopped.Sub(model.InstantOf(lost.After)); off < -3500 || off > 3500 {
			t.Errorf("at %v the runway ended at %v, and the record went after %v", s.at, stopped, lost.After)
		}
	}
	last := said[len(said)-1]
	if floors < 3 || runways < 2 || last.LostOffsets < 1 {
		t.Errorf("%d floors, %d runways, %d offsets lost", floors, runways, last.LostOffsets)
	}
}
