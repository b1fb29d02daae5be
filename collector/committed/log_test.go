package committed_test

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector/committed"
	"kafka-retention-exporter/collector/compacted"
	"kafka-retention-exporter/model"
)

var pair = model.PairKey{Group: "g", PartitionKey: model.PartitionKey{Topic: "t", Partition: 3}}

func all(string, string) bool { return true }

func current(int32) bool { return true }

func record(version int16, offset int64, at, expires model.Instant) compacted.Record {
	k := kmsg.OffsetCommitKey{Version: 1, Group: pair.Group, Topic: pair.Topic, Partition: pair.Partition}
	v := kmsg.OffsetCommitValue{Version: version, Offset: offset, LeaderEpoch: -1, CommitTimestamp: int64(at), ExpireTimestamp: int64(expires)}
	return compacted.Record{Partition: 7, Key: k.AppendTo(nil), Value: v.AppendTo(nil)}
}

func TestEveryVersionOfACommit(t *testing.T) {
	for version := range int16(5) {
		l := committed.NewLog(all)
		l.Take(record(version, 42, 1000, 5000))
		c := l.Times(pair, model.Commit{Offset: 42}, current)
		expires := model.Maybe[model.Instant]{}
		if version == 1 {
			expires = model.Known[model.Instant](5000)
		}
		if c.At != model.Known[model.Instant](1000) || c.Expires != expires {
			t.Errorf("version %d: committed at %v, expires %v", version, c.At, c.Expires)
		}
	}
	l := committed.NewLog(all)
	l.Take(record(1, 42, 1000, -1)) // left to the broker
	if c := l.Times(pair, model.Commit{Offset: 42}, current); c.Expires.IsKnown() {
		t.Errorf("expires at %v", c.Expires)
	}
}

func TestWhatIsNotToldOfACommit(t *testing.T) {
	known := func(l *committed.Log, current func(int32) bool) bool {
		return l.Times(pair, model.Commit{Offset: 42}, current).At.IsKnown()
	}
	l := committed.NewLog(all)
	l.Take(record(3, 42, 1000, 0))
	if known(l, func(partition int32) bool { return partition != 7 }) {
		t.Error("of a partition that was not read to its end")
	}
	if l.Forget(6); !known(l, current) {
		t.Error("unknown after another partition was forgotten")
	}
	if l.Forget(7); known(l, current) {
		t.Error("of a partition that was forgotten")
	}
	l = committed.NewLog(func(group, topic string) bool { return group == "g" && topic == "other" })
	if l.Take(record(3, 42, 1000, 0)); known(l, current) {
		t.Error("of a topic that is not watched")
	}
}

// TestFewCommitsAreKept: whatever a group commits, a dozen tell its way, the newest among them, and two
// are left once that was told.
func TestFewCommitsAreKept(t *testing.T) {
	l := committed.NewLog(all)
	const n = 10_000
	for i := range int64(n) {
		l.Take(record(3, i, model.Instant(5000*i), 0))
		l.Take(record(3, i, model.Instant(5000*i+100), 0)) // the same again
	}
	way := l.Earlier(pair, current)
	if len(way) != 12 {
		t.Fatalf("%d are kept: %v", len(way), way)
	}
	for i, p := range way {
		wait, ok := p.Wait.Get()
		if p.At != model.Instant(5000*p.Offset) || i > 0 && (!ok || wait != 5000 || p.Offset <= way[i-1].Offset) {
			t.Errorf("%d: %+v", i, p)
		}
	}
	for i := range 3 { // the newest without a gap
		if p := way[len(way)-1-i]; p.Offset != model.Offset(n-1-i) {
			t.Errorf("%d before the last is %+v", i, p)
		}
	}
	if way[0].Offset != 0 {
		t.Errorf("the first is %+v", way[0])
	}
	if l.Earlier(pair, current) != nil {
		t.Error("the way is told again")
	}
	l.Take(record(3, n, 5000*n, 0))
	for back, want := range []bool{true, true, false} {
		if c := l.Times(pair, model.Commit{Offset: model.Offset(n - back)}, current); c.At.IsKnown() != want {
			t.Errorf("commit %d before the last: %v", back, c.At)
		}
	}
}

// Of a job that runs now and then it is kept when its runs began: the last ones all, older ones here and there.
func TestWhereRunsBeganIsKept(t *testing.T) {
	l := committed.NewLog(all)
	const runs, commits, period, gap = 20, 300, model.Instant(86_400_000), model.Instant(5000)
	for i := range int64(runs * commits) {
		at := period*model.Instant(i/commits) + gap*model.Instant(i%commits)
		l.Take(record(3, i, at, 0))
	}
	var began []int64
	for _, p := range l.Earlier(pair, current) {
		run, in := int64(p.Offset)/commits, int64(p.Offset)%commits
		if wait, ok := p.Wait.Get(); in == 0 && run > 0 {
			began = append(began, run)
			if !ok || wait != model.Millis(period-gap*(commits-1)) {
				t.Errorf("run %d began after %v", run, wait)
			}
		}
	}
	if n := len(began); n < 6 || !slices.Equal(began[n-4:], []int64{runs - 4, runs - 3, runs - 2, runs - 1}) {
		t.Errorf("it is known of runs %v", began)
	}
}

// FuzzRecords: whatever is in a record, nothing is told of a commit that is not the last one of its key.
func FuzzRecords(f *testing.F) {
	good := record(4, 42, 1000, 0)
	f.Add(good.Key, good.Value)
	f.Add(good.Key, []byte{})
	f.Add([]byte{0, 2, 0, 1, 'g'}, []byte{0, 3})
	f.Fuzz(func(t *testing.T, key, value []byte) {
		l := committed.NewLog(all)
		l.Take(good)
		l.Take(compacted.Record{Partition: 7, Key: key, Value: value})
		if string(key) == string(good.Key) && len(value) < 20 && l.Times(pair, model.Commit{Offset: 42}, current).At.IsKnown() {
			t.Errorf("%x is told to be no commit, and still the one before is told", value)
		}
	})
}
