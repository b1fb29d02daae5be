package disk_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kafka-retention-exporter/model"
)

// spoil changes bytes in one of the ways that disks and unclean stops do.
func spoil(random *rand.Rand, good []byte, unit int) []byte {
	bad := bytes.Clone(good)
	switch from := random.Intn(len(bad)); random.Intn(4) {
	case 0:
		return bad[:from]
	case 1:
		clear(bad[from : from+random.Intn(len(bad)-from)+1])
	case 2:
		random.Shuffle(len(bad)/unit, func(i, j int) {
			for k := range unit {
				bad[i*unit+k], bad[j*unit+k] = bad[j*unit+k], bad[i*unit+k]
			}
		})
	default:
		random.Read(bad[from : from+random.Intn(len(bad)-from)+1])
	}
	return bad
}

// TestDamageIsNoticed spoils the time index of a closed segment in many ways: the stamp that comes
// out is the right one, from the batches where need be, or there is none and a problem says so.
func TestDamageIsNoticed(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	var records []record
	for i := range 40 {
		records = append(records, record{model.Offset(i), model.Instant(1_700_000_000_000 + 1000*i + random.Intn(5000))})
	}
	newest := model.Instant(0)
	for _, r := range records {
		newest = max(newest, r.stamp)
	}
	d := newLogDir(t)
	d.folder("or-ders-3")
	d.segment("or-ders-3", 0, 0, records...)
	d.segment("or-ders-3", 40, 9, record{40, 1_700_000_100_000})
	good, cut := times(0, records...), 0
	for i := range 2000 {
		bad := spoil(random, good, 12)
		d.write("or-ders-3/00000000000000000000.timeindex", bad)
		broker, problems := d.reader().Read(time.Now().Add(time.Hour))
		r := broker.Replicas[key]
		if r == nil && len(problems) == 0 {
			t.Fatalf("%d: no replica and no problem", i)
		}
		if r == nil || r.Segments[0].Largest == newest && r.Segments[0].Stamped {
			continue
		}
		// An index that was cut between entries, or ends in zeros, is what a broker would believe after a restart.
		if whole := bytes.TrimRight(bad, "\x00"); !bytes.HasPrefix(good, whole[:len(whole)/12*12]) {
			t.Fatalf("%d: newest stamp %d of %d, from %x", i, r.Segments[0].Largest, newest, bad)
		}
		cut++
	}
	t.Logf("%d of 2000 were cut", cut)
}

// FuzzFiles reads any bytes as the files of a log dir: nothing crashes or hangs, and what is shown
// hangs together.
func FuzzFiles(f *testing.F) {
	log, index := batches(record{0, 100}, record{1, 50}, record{2, 300}), times(0, record{0, 100}, record{2, 300})
	f.Add(log, index, []byte{0, 0, 0, 1, 0, 0, 0, 100}, []byte("0\n1\nor-ders 3 1\n"))
	f.Add(log[:150], index[:13], make([]byte, 80), []byte("0\n0\n"))
	f.Add(append(log, make([]byte, 99)...), make([]byte, 120), []byte{}, []byte("1\n"))
	f.Add([]byte{}, []byte{}, []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, log, timeIndex, index, checkpoint []byte) {
		d := newLogDir(t)
		d.folder("or-ders-3")
		for _, base := range []int{0, 3} { // as a closed segment and as the active one
			name := fmt.Sprintf("or-ders-3/%020d", base)
			d.write(name+".log", log)
			d.write(name+".timeindex", timeIndex)
			d.write(name+".index", index)
		}
		d.write("log-start-offset-checkpoint", checkpoint)
		d.write("replication-offset-checkpoint", checkpoint)
		r := d.reader()
		for range 2 {
			broker, _ := r.Read(time.Now().Add(time.Hour))
			replica := broker.Replicas[key]
			if replica == nil {
				continue
			}
			if len(replica.Segments) != 2 || replica.Start < 0 || replica.Size() < 0 || replica.Size() > model.Bytes(2*len(log)) {
				t.Errorf("replica %+v", replica)
			}
		}
	})
}

// TestFilesGoWhileTheyAreRead renames and unlinks segments all the time, as a broker does: every
// reading succeeds, and shows segments that follow each other without a hole.
func TestFilesGoWhileTheyAreRead(t *testing.T) {
	const segments = 400
	d := newLogDir(t)
	d.folder("or-ders-3")
	for i := range segments {
		d.segment("or-ders-3", model.Offset(i), 0, record{model.Offset(i), model.Instant(1000 + i)})
	}
	var broker sync.WaitGroup
	broker.Go(func() {
		for i := range segments - 1 {
			for _, ending := range []string{".log", ".index", ".timeindex"} {
				path := filepath.Join(d.path, "or-ders-3", fmt.Sprintf("%020d%s", i, ending))
				if err := os.Rename(path, path+".deleted"); err != nil {
					t.Error(err)
				}
				if i%2 == 0 {
					_ = os.Remove(path + ".deleted")
				}
			}
		}
	})
	done := make(chan struct{})
	go func() { broker.Wait(); close(done) }()
	r, last, readings := d.reader(), model.Offset(0), 0
	for running := true; running; readings++ {
		select {
		case <-done:
			running = false
		default:
		}
		got, problems := r.Read(time.Now())
		if len(problems) > 0 { // files went in each of the attempts: said, and read the next time
			continue
		}
		replica := got.Replicas[key]
		for i, s := range replica.Segments {
			if s.Largest != 1000+model.Instant(s.Base) || !s.Stamped || i > 0 && s.Base != replica.Segments[i-1].Base+1 {
				t.Fatalf("segments %v", shown(replica))
			}
		}
		if replica.Start < last {
			t.Fatalf("the log start went from %d back to %d", last, replica.Start)
		}
		last = replica.Start
	}
	want(t, d.read(r).Replicas[key], fmt.Sprintf("%d: 100 bytes, %d true", segments-1, 1000+segments-1))
	t.Logf("%d readings", readings)
}

// BenchmarkRead is 1,000 partitions of 20 segments each: the first reading, and those that follow.
func BenchmarkRead(b *testing.B) {
	d := newLogDir(b)
	for p := range 1000 {
		folder := fmt.Sprintf("t-%d", p)
		d.folder(folder)
		for s := range 20 {
			d.segment(folder, model.Offset(10*s), 0, record{model.Offset(10 * s), model.Instant(1000 + s)})
		}
	}
	later := time.Now().Add(time.Hour)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			d.reader().Read(later)
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		r := d.reader()
		r.Read(later)
		for b.Loop() {
			r.Read(later)
		}
	})
}
