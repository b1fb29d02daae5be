package disk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"kafka-retention-exporter/collector/disk"
	"kafka-retention-exporter/model"
)

var key = model.PartitionKey{Topic: "or-ders", Partition: 3}

// shown is what is of interest about a segment, in one line.
func shown(r *model.LocalReplica) (lines []string) {
	for _, s := range r.Segments {
		lines = append(lines, fmt.Sprintf("%d: %d bytes, %d %t", s.Base, s.Size, s.Largest, s.Stamped))
	}
	return lines
}

func want(t *testing.T, r *model.LocalReplica, lines ...string) {
	t.Helper()
	if r == nil {
		t.Fatalf("no replica, want %q", lines)
	}
	if got := shown(r); !reflect.DeepEqual(got, lines) {
		t.Errorf("have %q\nwant %q", got, lines)
	}
}

func TestReplica(t *testing.T) {
	d := newLogDir(t)
	d.folder("or-ders-3")
	d.segment("or-ders-3", 10, 0, record{10, 500}, record{11, 900}, record{12, 700})
	d.segment("or-ders-3", 13, 5, record{13, 800}, record{14, 1000})
	d.write("or-ders-3/00000000000000000000.log.deleted", make([]byte, 321))
	d.write("or-ders-3/00000000000000000005.log.cleaned", make([]byte, 9))
	d.write("log-start-offset-checkpoint", []byte("0\n1\nor-ders 3 11\n"))
	d.write("replication-offset-checkpoint", []byte("0\n1\nor-ders 3 15\n"))
	broker := d.read(d.reader())
	if broker.ID != 7 || broker.ClusterID != "c-1" || len(broker.Replicas) != 1 {
		t.Errorf("broker %+v", broker)
	}
	r := broker.Replicas[key]
	want(t, r, "10: 300 bytes, 900 true", "13: 200 bytes, 1000 true")
	if r.TopicID != topicID || r.Start != 11 || r.Deleted != 321 || r.HighWatermark != model.Known(model.Offset(15)) || r.First != model.Known(model.Instant(500)) {
		t.Errorf("replica %+v", r)
	}
	if r.Size() != 500 {
		t.Errorf("size %d", r.Size())
	}
}

func TestFoldersThatAreNoReplicas(t *testing.T) {
	d := newLogDir(t)
	for _, name := range []string{
		"orders-0.0123456789abcdef0123456789abcdef-future", "orders-0.0123456789abcdef0123456789abcdef-delete",
		"orders-0.0123456789abcdef0123456789abcdef-stray", "__cluster_metadata-0", "remote-log-index-cache", "lost+found", "-1", "orders-",
	} {
		d.folder(name)
		d.segment(name, 0, 0, record{0, 1})
	}
	if broker := d.read(d.reader()); len(broker.Replicas) != 0 {
		t.Errorf("replicas %v", broker.Replicas)
	}
}

// TestActiveSegmentIsReadOn appends to one, rolls it, and takes segments away.
func TestActiveSegmentIsReadOn(t *testing.T) {
	d := newLogDir(t)
	d.folder("or-ders-3")
	d.segment("or-ders-3", 0, 9)
	r := d.reader()
	want(t, d.read(r).Replicas[key], "0: 0 bytes, 0 false")

	all := batches(record{0, 50}, record{1, 70})
	d.write("or-ders-3/00000000000000000000.log", all[:batchSize+60]) // half of the second is there
	want(t, d.read(r).Replicas[key], "0: 100 bytes, 50 true")
	d.write("or-ders-3/00000000000000000000.log", all)
	want(t, d.read(r).Replicas[key], "0: 200 bytes, 70 true")

	d.segment("or-ders-3", 0, 0, record{0, 50}, record{1, 70}) // cut to what is in them
	d.segment("or-ders-3", 2, 9, record{2, 60})
	want(t, d.read(r).Replicas[key], "0: 200 bytes, 70 true", "2: 100 bytes, 60 true")

	for _, ending := range []string{".log", ".index", ".timeindex"} {
		path := filepath.Join(d.path, "or-ders-3", "00000000000000000000"+ending)
		if err := os.Rename(path, path+".deleted"); err != nil {
			t.Fatal(err)
		}
	}
	left := d.read(r).Replicas[key]
	want(t, left, "2: 100 bytes, 60 true")
	if left.Deleted != 200 || left.Start != 2 {
		t.Errorf("deleted %d, start %d", left.Deleted, left.Start)
	}
	if err := os.RemoveAll(filepath.Join(d.path, "or-ders-3")); err != nil {
		t.Fatal(err)
	}
	if broker := d.read(r); len(broker.Replicas) != 0 {
		t.Errorf("replicas %v", broker.Replicas)
	}
}

// TestPreallocatedFileEndsWhereItsBatchesEnd: with log.preallocate the active file is as long as it may become.
func TestPreallocatedFileEndsWhereItsBatchesEnd(t *testing.T) {
	d := newLogDir(t)
	d.folder("or-ders-3")
	d.segment("or-ders-3", 0, 9, record{0, 50})
	d.write("or-ders-3/00000000000000000000.log", append(batches(record{0, 50}), make([]byte, 5000)...))
	want(t, d.read(d.reader()).Replicas[key], "0: 100 bytes, 50 true")
}

// TestSegmentWithoutStampsGoesByTheTimeOfItsFile as in LogSegment.largestTimestamp.
func TestSegmentWithoutStampsGoesByTheTimeOfItsFile(t *testing.T) {
	d := newLogDir(t)
	d.folder("or-ders-3")
	d.segment("or-ders-3", 0, 0, record{0, -1})
	d.segment("or-ders-3", 1, 9, record{1, 5})
	at := time.UnixMilli(1_700_000_000_000)
	if err := os.Chtimes(filepath.Join(d.path, "or-ders-3/00000000000000000000.log"), at, at); err != nil {
		t.Fatal(err)
	}
	r := d.read(d.reader()).Replicas[key]
	want(t, r, "0: 100 bytes, 0 false", "1: 100 bytes, 5 true")
	if got := r.Segments[0].Stamp(); got != model.InstantOf(at) {
		t.Errorf("stamp %d", got)
	}
}

// TestDamagedTimeIndexIsNotBelieved: entries that do not rise, and nothing at all where the log has
// stamps, are looked up in the batches.
func TestDamagedTimeIndexIsNotBelieved(t *testing.T) {
	records := []record{{0, 100}, {1, 200}, {2, 300}}
	good := times(0, records...)
	for name, index := range map[string][]byte{
		"swapped":  append(append([]byte{}, good[24:]...), good[:24]...),
		"negative": append(append([]byte{}, good[:24]...), 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 2),
		"missing":  nil,
	} {
		t.Run(name, func(t *testing.T) {
			d := newLogDir(t)
			d.folder("or-ders-3")
			d.segment("or-ders-3", 0, 0, records...)
			d.segment("or-ders-3", 3, 9, record{3, 400})
			d.write("or-ders-3/00000000000000000000.timeindex", index)
			if index == nil {
				if err := os.Remove(filepath.Join(d.path, "or-ders-3/00000000000000000000.timeindex")); err != nil {
					t.Fatal(err)
				}
			}
			want(t, d.read(d.reader()).Replicas[key], "0: 300 bytes, 300 true", "3: 100 bytes, 400 true")
		})
	}
}

func TestProblemsHaveACauseAndLeaveTheRestWhole(t *testing.T) {
	d := newLogDir(t)
	for i := range 2 {
		folder := fmt.Sprintf("or-ders-%d", i+2)
		d.folder(folder)
		d.segment(folder, 0, 0, record{0, 1})
		d.segment(folder, 1, 9, record{1, 2})
	}
	d.write("or-ders-2/00000000000000000000.timeindex", []byte("nonsense that is no index"))
	d.write("or-ders-2/00000000000000000000.log", []byte("nonsense that is no log, and long enough to look at"))
	d.write("replication-offset-checkpoint", []byte("0\n5\nor-ders 3 1\n"))
	broker, problems := d.reader().Read(time.Now().Add(time.Hour))
	want(t, broker.Replicas[key], "0: 100 bytes, 1 true", "1: 100 bytes, 2 true")
	if len(broker.Replicas) != 1 {
		t.Errorf("replicas %v", broker.Replicas)
	}
	if len(problems) != 2 || problems[0].Cause != "file" || problems[1].Cause != "file_damaged" || problems[1].Count != 1 {
		t.Errorf("problems %+v", problems)
	}
}

// TestCheckpointsAreOfTheirLogDir: while a replica is moved, the log dir it goes to notes how far the
// copy is, under the same name.
func TestCheckpointsAreOfTheirLogDir(t *testing.T) {
	from, to := newLogDir(t), newLogDir(t)
	from.folder("or-ders-3")
	from.segment("or-ders-3", 0, 9, record{0, 5}, record{1, 6}, record{2, 7})
	from.write("replication-offset-checkpoint", []byte("0\n1\nor-ders 3 3\n"))
	copied := "or-ders-3.0123456789abcdef0123456789abcdef-future"
	to.folder(copied)
	to.segment(copied, 0, 9, record{0, 5})
	to.write("replication-offset-checkpoint", []byte("0\n1\nor-ders 3 1\n"))
	to.write("log-start-offset-checkpoint", []byte("0\n1\nor-ders 3 1\n"))
	for _, r := range []*disk.Reader{disk.NewReader(from.path, to.path+"/"), disk.NewReader(to.path, from.path+"/.")} {
		one := from.read(r).Replicas[key]
		if one == nil || one.HighWatermark != model.Known(model.Offset(3)) || one.Start != 0 || one.Dir != from.path {
			t.Errorf("replica %+v", one)
		}
	}
}
