package disk_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"kafka-retention-exporter/collector/disk"
	"kafka-retention-exporter/model"
)

const segmentsEach = 20

// large is a segment of a megabyte with an index as a broker keeps it: one batch of almost all of it,
// and two small ones, of which the offset index names the first.
func (d *logDir) large(folder string, base model.Offset, stamp model.Instant) {
	const first = 1 << 20
	name := fmt.Sprintf("%s/%020d", folder, base)
	head := batches(record{base, stamp})
	binary.BigEndian.PutUint32(head[8:], first-12)
	tail := batches(record{base + 1, stamp + 1}, record{base + 2, stamp + 2})
	d.write(name+".log", head)
	path := filepath.Join(d.path, name+".log")
	if err := os.Truncate(path, first); err != nil { // a hole, which reads as zeros and takes no room
		d.t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.Write(tail)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	f.Close()
	d.write(name+".timeindex", times(base, record{base, stamp}, record{base + 1, stamp + 1}, record{base + 2, stamp + 2}))
	d.write(name+".index", binary.BigEndian.AppendUint32([]byte{0, 0, 0, 1}, first))
}

// many is a log dir of so many partitions with 20 segments each, and with what a broker notes of each.
func many(t testing.TB, partitions int) *logDir {
	d := newLogDir(t)
	notes := fmt.Appendf(nil, "0\n%d\n", partitions)
	for p := range partitions {
		notes = fmt.Appendf(notes, "t %d %d\n", p, 10*(segmentsEach-1))
	}
	d.write("replication-offset-checkpoint", notes)
	d.write("log-start-offset-checkpoint", notes)
	for p := range partitions {
		folder := fmt.Sprintf("t-%d", p)
		d.folder(folder)
		for s := range segmentsEach {
			d.large(folder, model.Offset(10*s), model.Instant(1000+10*s))
		}
	}
	return d
}

// later is beyond the time for which a folder that has just been changed is listed anew.
func later() time.Time { return time.Now().Add(time.Hour) }

// reading is what one reading costs, and fails where it shows less than all.
func reading(t testing.TB, r *disk.Reader, partitions int) disk.Calls {
	t.Helper()
	before := r.Calls()
	broker, problems := r.Read(later())
	if len(broker.Replicas) != partitions || len(problems) > 0 {
		t.Fatalf("%d replicas of %d, problems %+v", len(broker.Replicas), partitions, problems)
	}
	after := r.Calls()
	return disk.Calls{after.Looks - before.Looks, after.Lists - before.Lists, after.Opens - before.Opens, after.Reads - before.Reads}
}

// TestCost counts the calls of the system: a first reading takes the same few for each segment,
// however many there are; the next one lists and opens nothing, and looks once at each folder and
// active segment; and then only what changed is read.
func TestCost(t *testing.T) {
	for _, partitions := range []int64{5, 50} {
		d := many(t, int(partitions))
		r := d.reader()
		first := reading(t, r, int(partitions))
		segments := partitions * segmentsEach
		// Of each segment the .log and the time index, and of the active one the offset index as well. The
		// folder, its partition.metadata and its first batch come once each.
		most := disk.Calls{Looks: segments + 2*partitions, Lists: partitions, Opens: 2*segments + 4*partitions, Reads: 2*segments + 4*partitions}
		if first != most {
			t.Errorf("first reading of %d segments: %+v, want %+v", segments, first, most)
		}
		if again := reading(t, r, int(partitions)); again != (disk.Calls{Looks: 2 * partitions}) {
			t.Errorf("nothing has changed in %d partitions, and yet %+v", partitions, again)
		}
		d.append("t-1", 10*(segmentsEach-1), record{10*segmentsEach - 1, 5000})
		if grown := reading(t, r, int(partitions)); grown.Lists != 0 || grown.Opens != 1 || grown.Reads > 2 {
			t.Errorf("one active segment grew: %+v", grown)
		}
		d.large("t-2", 10*segmentsEach, 6000)
		// The one that was active is read as closed, the new one as active; the others are only looked at.
		if rolled := reading(t, r, int(partitions)); rolled.Lists != 1 || rolled.Opens > 1+3+3 || rolled.Looks > 2*partitions+segmentsEach+4 {
			t.Errorf("one segment rolled: %+v", rolled)
		}
	}
}

// append adds a batch to a segment.
func (d *logDir) append(folder string, base model.Offset, r record) {
	d.t.Helper()
	f, err := os.OpenFile(filepath.Join(d.path, fmt.Sprintf("%s/%020d.log", folder, base)), os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.Write(batches(r))
	}
	if err != nil {
		d.t.Fatal(err)
	}
	f.Close()
}

// BenchmarkRead is a broker with 10,000 partitions of 20 segments each: the first reading, and those
// that follow. Beside others on a machine the processor time says more than the clock.
func BenchmarkRead(b *testing.B) {
	partitions := 1000
	if os.Getenv("KRE_FULL") != "" {
		partitions = 10_000
	}
	d := many(b, partitions)
	b.Run(fmt.Sprintf("first/%dx%d", partitions, segmentsEach), func(b *testing.B) {
		measured(b, func() { reading(b, d.reader(), partitions) })
	})
	b.Run(fmt.Sprintf("unchanged/%dx%d", partitions, segmentsEach), func(b *testing.B) {
		r := d.reader()
		reading(b, r, partitions)
		measured(b, func() { reading(b, r, partitions) })
	})
}

func measured(b *testing.B, read func()) {
	before := processorTime(b)
	for b.Loop() {
		read()
	}
	b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
