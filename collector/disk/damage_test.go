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

// TestFilesGoWhileTheyAreRead renames and unlinks segments all the time, as a broker does, more than
// ten thousand times: what is shown are segments that follow each other without a hole, and a reading
// that met too many of them says so.
func TestFilesGoWhileTheyAreRead(t *testing.T) {
	const segments = 2000
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
				if i%4 > 0 {
					if err := os.Remove(path + ".deleted"); err != nil {
						t.Error(err)
					}
				}
			}
		}
	})
	done := make(chan struct{})
	go func() { broker.Wait(); close(done) }()
	r, last, readings, shownOnes := d.reader(), model.Offset(0), 0, 0
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
		shownOnes++
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
	left := d.read(r).Replicas[key]
	want(t, left, fmt.Sprintf("%d: 100 bytes, %d true", segments-1, 1000+segments-1))
	if left.Deleted != segments/4*batchSize {
		t.Errorf("%d bytes wait to be unlinked, want %d", left.Deleted, segments/4*batchSize)
	}
	t.Logf("%d readings, %d of them whole", readings, shownOnes)
}
