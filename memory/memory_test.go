package memory_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kafka-retention-exporter/memory"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

var update = flag.Bool("update", false, "write the sample of this version; never change that of an earlier one")

const now = model.Instant(1_700_000_000_000)

// sample is a memory with something of everything.
func sample(pairs int) predictor.Memory {
	ago := model.Millis(7000)
	m := predictor.Memory{
		Cluster: "abc", At: now,
		Phases:     []predictor.PhaseMemory{{Broker: 1, Period: 300_000, Votes: [][2]model.Millis{{5000, 30_000}, {6000, 30_000}, {4000, 30_000}}}},
		Widths:     []predictor.WidthMemory{{Rule: 1, Zone: 2, Labels: []byte{1, 2, 255}}},
		Groups:     []predictor.GroupMemory{{Group: "billing", Busy: now.Add(-5000)}},
		Partitions: []predictor.PartitionMemory{{Topic: "orders", ID: model.TopicID{1, 2}, At: now, Leader: 1, Epoch: 7, Start: 100, End: 900, Base: true, Most: 77, Poll: 30_000, Burst: [10]int64{5, 500, 1, 2, 3, 4, 6, 700, 8, 9}, Strides: []int64{250, 4, 1, 30, 1000}, Ends: [][2]int64{{60_000, 100}, {0, 0}}, Rule: 1, Errors: [][]byte{{1}, {}, {2, 3}}}},
	}
	for i := range pairs {
		q := predictor.PairMemory{Group: fmt.Sprint("group-of-usual-length-", i/10), Topic: "orders", Partition: int32(i % 10), Ago: 35, Position: model.Offset(123_456_789 + i), Lost: int64(i), Counted: 123_000_000}
		q.Pace = &predictor.PaceMemory{
			Trail: [][2]int64{{960_000, 32_000}, {450_000, 15_000}, {210_000, 7000}, {90_000, 3000}, {30_000, 1000}},
			Waits: []int32{30_000, 30_000, 30_000, 60_000, 30_000}, Runs: [][3]int64{{86_400_000, 86_400_000, 2880}},
			Swings: [][2]float32{{.01, 15}, {.005, 9}}, Lively: 0, Regime: 86_400_000, Behind: 86_400_000, Advances: 32,
		}
		if i == 0 {
			q.LostAt, q.Pace.Rewound = now.Add(-1000), &ago
		}
		m.Pairs = append(m.Pairs, q)
	}
	return m
}

func encoded(t testing.TB, m predictor.Memory) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := memory.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	for _, pairs := range []int{3, 20} { // the second over the first
		want := sample(pairs)
		if err := memory.Save(path, want); err != nil {
			t.Fatal(err)
		}
		got, damage, err := memory.Load(path)
		if err != nil || damage.Any() || !reflect.DeepEqual(got, want) {
			t.Fatalf("read %+v, damage %+v, %v; written %+v", got, damage, err, want)
		}
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("the folder has %v, want the file alone (%v)", left, err)
	}
}

// TestFileThatCannotBeWrittenLeavesTheOldOne: the folder is gone, or is none.
func TestFileThatCannotBeWritten(t *testing.T) {
	if err := memory.Save(filepath.Join(t.TempDir(), "none", "state"), sample(1)); err == nil {
		t.Error("a file in a folder that does not exist was written")
	}
}

// TestTornFiles cuts a file off anywhere: what came before is there, and it is told.
func TestTornFiles(t *testing.T) {
	whole := encoded(t, sample(4))
	lines := bytes.Count(whole, []byte("\n"))
	for n := range len(whole) - 1 {
		m, damage, err := memory.Decode(bytes.NewReader(whole[:n]))
		if errors.Is(err, memory.ErrForeign) && n < bytes.IndexByte(whole, '\n') && n > 0 {
			continue // not even the first line is there
		}
		if err != nil || !damage.Any() {
			t.Fatalf("cut off at %d of %d: damage %+v, %v", n, len(whole), damage, err)
		}
		got := 1 + len(m.Phases) + len(m.Widths) + len(m.Groups) + len(m.Partitions) + len(m.Pairs)
		if want := bytes.Count(whole[:n], []byte("\n")); !damage.Header && got < want || got > lines {
			t.Fatalf("cut off at %d of %d: %d lines are read of %d", n, len(whole), got, want)
		}
	}
}

// TestDamagedLines changes every byte once: it costs its line, and no other.
func TestDamagedLines(t *testing.T) {
	want := sample(4)
	whole := encoded(t, want)
	first := bytes.IndexByte(whole, '\n')
	for i := range whole {
		if i == first { // the first two lines become one
			continue
		}
		bad := bytes.Clone(whole)
		bad[i] ^= 0x15
		m, damage, err := memory.Decode(bytes.NewReader(bad))
		if err != nil {
			if i > first {
				t.Fatalf("byte %d: %v", i, err)
			}
			continue
		}
		if i < first {
			continue // the cluster or the time may be another; or the header is told to be damaged
		}
		missing := len(want.Pairs) - len(m.Pairs) + len(want.Partitions) - len(m.Partitions) + len(want.Groups) - len(m.Groups) + len(want.Widths) - len(m.Widths) + len(want.Phases) - len(m.Phases)
		if missing > 2 || missing > 0 && !damage.Any() { // a line end that is gone costs two
			t.Fatalf("byte %d: %d lines are missing, damage %+v", i, missing, damage)
		}
	}
}

func TestForeignFiles(t *testing.T) {
	for name, text := range map[string]string{
		"text":          "root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1::/:/bin/false\n",
		"JSON":          `{"a":1}` + "\n" + `{"b":2}` + "\n",
		"later version": `{"format":"kafka-retention-exporter memory","version":99,"cluster":"abc","at":1}` + "\n",
		"binary":        "\x7fELF\x00\x01",
	} {
		if _, _, err := memory.Decode(strings.NewReader(text)); !errors.Is(err, memory.ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m, damage, err := memory.Decode(strings.NewReader("")); err != nil || !damage.Any() || m.Cluster != "" {
		t.Errorf("an empty file: %+v, %+v, %v", m, damage, err)
	}
}

// TestKindsAndFieldsOfOtherVersions are passed over, and what is missing is as if not learned.
func TestKindsAndFieldsOfOtherVersions(t *testing.T) {
	whole := string(encoded(t, sample(1)))
	more := strings.Replace(whole, "\n", "\n"+`{"k":"dream","c":1218087534,"v":{}}`+"\n", 1)
	m, damage, err := memory.Decode(strings.NewReader(more))
	if err != nil || len(m.Pairs) != 1 || damage.Lines > 1 {
		t.Errorf("with a line of another kind: %+v, %v", damage, err)
	}
}

// TestOlderVersionsAreRead reads files as this program wrote them at a time. What it did not know yet
// is as if not learned.
func TestOlderVersionsAreRead(t *testing.T) {
	const newest = "testdata/version1-strides"
	if *update {
		if err := memory.Save(newest, sample(2)); err != nil {
			t.Fatal(err)
		}
	}
	batches, first := sample(2), sample(2)
	batches.Partitions[0].Strides, first.Partitions[0].Strides = nil, nil
	first.Partitions[0].Burst = [10]int64{5, 500, 1, 2, 3, 4}
	for path, want := range map[string]predictor.Memory{"testdata/version1": first, "testdata/version1-batches": batches, newest: sample(2)} {
		got, damage, err := memory.Load(path)
		if err != nil || damage.Any() || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: read %+v, damage %+v, %v", path, got, damage, err)
		}
	}
}

// TestSizeOfAFile: a hundred thousand pairs take 35 MB.
func TestSizeOfAFile(t *testing.T) {
	const pairs, most = 1000, 350
	got := (len(encoded(t, sample(pairs))) - len(encoded(t, sample(0)))) / pairs
	t.Logf("%d bytes a pair", got)
	if got > most {
		t.Errorf("%d bytes a pair, want no more than %d", got, most)
	}
}

// FuzzFile reads anything, lets a predictor recall it, and shows that one a poll of just these
// partitions and groups.
func FuzzFile(f *testing.F) {
	whole := encoded(f, sample(2))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte{})
	f.Add(bytes.ReplaceAll(whole, []byte("1"), []byte("-9")))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _, err := memory.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		meet(m)
	})
}

// TestNonsenseIsRecalled: numbers that no exporter writes, with the right checksum.
func TestNonsenseIsRecalled(t *testing.T) {
	for _, n := range []int64{-1, 1 << 62, -1 << 62} {
		m := sample(3)
		p, q := &m.Partitions[0], &m.Pairs[0]
		p.Start, p.End, p.Most, p.Poll, p.LedFrom = model.Offset(n), model.Offset(n), n, model.Millis(n), model.Offset(n)
		p.Burst, p.Ends, p.Errors = [10]int64{n, n, n, n, n, n, n, n, n, n}, [][2]int64{{n, n}, {0, n}}, [][]byte{{255}, nil, bytes.Repeat([]byte{9}, 99)}
		p.Strides = []int64{n, n, n, n, n}
		q.Lost, q.Counted, q.Position, q.Ago, q.LostAt = n, model.Offset(n), model.Offset(n), model.Millis(n), model.Instant(n)
		q.Pace.Trail, q.Pace.Waits, q.Pace.Runs = [][2]int64{{n, n}, {0, n}}, []int32{-5}, [][3]int64{{n, n, n}, {n, n, n}, {n, n, n}, {n, n, n}}
		q.Pace.Swings, q.Pace.Lively, q.Pace.Regime, q.Pace.Advances = [][2]float32{{-1, 99}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, model.Millis(n), model.Millis(n), int(n)
		m.Phases[0].Period, m.Phases[0].Votes = model.Millis(n), [][2]model.Millis{{model.Millis(n), model.Millis(n)}}
		m.Widths[0].Zone, m.Widths[0].Rule = 200, 200
		meet(m)
	}
}

func meet(m predictor.Memory) {
	p := predictor.New(predictor.Config{Poll: 30_000})
	p.Recall(m)
	for i := range 3 {
		at := now.Add(model.Millis(30_000 * (i + 1)))
		p.Observe(poll(m, at, model.Offset(i)))
		p.Report(at)
		p.Memory()
	}
}

// poll is what the cluster tells of what is remembered.
func poll(m predictor.Memory, at model.Instant, more model.Offset) *model.Snapshot {
	s := &model.Snapshot{
		Started: at, At: at, Reached: true, ClusterID: m.Cluster,
		Brokers: map[model.BrokerID]model.Broker{1: {ID: 1, Up: true}}, Topics: map[string]model.Topic{},
		Partitions: map[model.PartitionKey]model.Partition{}, Groups: map[string]model.Group{},
	}
	set := model.DefaultSettings()
	set.RetentionMs, set.RetentionBytes = 86_400_000, 1<<30
	for _, f := range m.Partitions {
		key := model.PartitionKey{Topic: f.Topic, Partition: f.Partition}
		s.Topics[f.Topic] = model.Topic{Name: f.Topic, ID: f.ID, Partitions: 1, Settings: map[model.BrokerID]model.Read[model.Settings]{f.Leader: model.ReadAt(set, at)}}
		start, end := max(0, f.Start), max(0, f.Start, f.End)
		end = min(end, 1<<50) + more
		start = min(start, end)
		s.Partitions[key] = model.Partition{Key: key, TopicID: f.ID, Leader: f.Leader, LeaderKnown: true, LeaderEpoch: f.Epoch,
			LogStart: model.ReadAt(start, at), End: model.ReadAt(end, at),
			Size:   model.ReadAt(model.SizeRead{Bytes: 100, EndBefore: end, EndAfter: end, LogStart: start, Still: true}, at),
			Oldest: model.ReadAt(model.Stamped{Offset: start, Stamp: at.Add(-3_600_000), Found: true}, at)}
	}
	for _, q := range m.Pairs {
		g, ok := s.Groups[q.Group]
		if !ok {
			g = model.Group{Name: q.Group, Kind: model.KindClassic, State: "Stable", ProtocolType: "consumer",
				OffsetsRead: model.ReadAt(struct{}{}, at), Offsets: map[model.PartitionKey]model.Read[model.Commit]{}}
			s.Groups[q.Group] = g
		}
		g.Offsets[model.PartitionKey{Topic: q.Topic, Partition: q.Partition}] = model.ReadAt(model.Commit{Offset: max(0, q.Position) + more}, at)
	}
	return s
}
