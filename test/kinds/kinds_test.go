package kinds_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/kinds"
	"kafka-retention-exporter/test/watch"
)

// A topic has records offsets; its group reads up to position, and then loses what is below start.
const (
	records  = 100
	position = 40
	start    = 60
)

// kind is a kind of groups. The group and the topic it reads are called after it.
type kind struct {
	name     string
	listed   model.GroupKind
	members  bool // which stay
	assigned bool // to them, as far as the exporter knows
	read     func(context.Context, *kafkatest.Cluster, kinds.Stand)
}

func allKinds() []kind {
	return []kind{
		{"classic", model.KindClassic, true, true, kinds.Classic},
		{"consumer", model.KindConsumer, true, true, kinds.Consumer},
		{"streams", model.KindStreams, true, true, kinds.Streams},
		{"share", model.KindShare, true, true, kinds.Share},
		{"simple", model.KindClassic, false, false, kinds.Simple},
	}
}

func stand(name string) kinds.Stand {
	return kinds.Stand{Group: name, Topic: name, Position: position, Records: records}
}

// TestEachKindOfGroup watches a group of each kind that stands still while records are deleted.
func TestEachKindOfGroup(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{})
	ctx := c.Context(4 * time.Minute)
	for _, k := range allKinds() {
		fill(ctx, c, k.name)
		k.read(ctx, c, stand(k.name))
	}
	fill(ctx, c, "finished")
	kinds.ShareWhole(ctx, c, stand("finished"))

	w := watch.New(t, c.Addresses(), time.Second)
	standing := awaitAll(ctx, t, w, func(s watch.Sight, k kind) bool {
		f, ok := s.Pair(k.name, k.name)
		g := s.Snapshot.Groups[k.name]
		return ok && f.Position.IsKnown() && f.Floor.IsKnown() && g.HasMembers() == k.members && (g.Assigned != nil) == k.assigned
	})
	for _, k := range allKinds() {
		t.Run(k.name, func(t *testing.T) { stands(t, standing, k) })
	}
	for _, k := range allKinds() {
		c.Must(c.DeleteRecords(ctx, k.name, 0, start))
	}
	c.Must(c.DeleteRecords(ctx, "finished", 0, start))
	lost := awaitAll(ctx, t, w, func(s watch.Sight, k kind) bool {
		f, _ := s.Pair(k.name, k.name)
		return f.State == model.Known(predictor.Lost)
	})
	for _, k := range allKinds() {
		t.Run(k.name+" loses", func(t *testing.T) { loses(t, lost, k) })
	}
	t.Run("share that has finished", func(t *testing.T) { finished(t, lost) })
}

func stands(t *testing.T, s watch.Sight, k kind) {
	f, _ := s.Pair(k.name, k.name)
	if at, _ := f.Position.Get(); at != position {
		t.Errorf("position %d", at)
	}
	if lag, _ := f.Lag.Get(); lag != records-position {
		t.Errorf("lag %d", lag)
	}
	g := s.Snapshot.Groups[k.name]
	if g.Kind != k.listed || k.assigned && !g.Assigned[model.PartitionKey{Topic: k.name}] {
		t.Errorf("group: %+v", g)
	}
	if len(s.Snapshot.Problems) > 0 {
		t.Errorf("problems: %+v", s.Snapshot.Problems)
	}
}

func loses(t *testing.T, s watch.Sight, k kind) {
	f, _ := s.Pair(k.name, k.name)
	if at, _ := f.Position.Get(); at != position || f.LostOffsets != start-position {
		t.Errorf("position %d, %d lost", at, f.LostOffsets)
	}
}

// finished is a share group that has finished with everything, and may be told to start at 0 for ever.
func finished(t *testing.T, s watch.Sight) {
	f, ok := s.Pair("finished", "finished")
	loss, known := f.Loss.Get()
	if lag, _ := f.Lag.Get(); !ok || !known || loss != model.Forever || lag != 0 || f.LostOffsets != 0 {
		t.Errorf("%+v", f)
	}
	told, _ := f.Position.Get()
	t.Logf("it is told to start at %d, the log at %d", told, start)
}

// awaitAll polls until something holds of the groups of all kinds.
func awaitAll(ctx context.Context, t *testing.T, w *watch.Watch, holds func(watch.Sight, kind) bool) watch.Sight {
	t.Helper()
	var missing []string
	for ctx.Err() == nil {
		s := w.Poll(ctx)
		missing = missing[:0]
		for _, k := range allKinds() {
			if !holds(s, k) {
				missing = append(missing, k.name)
			}
		}
		if len(missing) == 0 {
			return s
		}
		time.Sleep(500 * time.Millisecond)
	}
	t.Fatalf("still not: %v", missing)
	return watch.Sight{}
}

func fill(ctx context.Context, c *kafkatest.Cluster, topic string) {
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic}))
	stamps := make([]time.Time, records)
	for i := range stamps {
		stamps[i] = time.Now()
	}
	_, err := c.Produce(ctx, topic, 0, 10, stamps...)
	c.Must(err)
}

// TestTableHasARowForEachKind holds docs/groups.md to the kinds that are tried here.
func TestTableHasARowForEachKind(t *testing.T) {
	text, err := os.ReadFile("../../docs/groups.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range allKinds() {
		if !strings.Contains(string(text), "\n| "+k.name+" |") {
			t.Errorf("no row for %s", k.name)
		}
	}
}
