package disk_test

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"testing"

	"kafka-retention-exporter/model"
)

// files are those of a segment.
type files struct{ log, timeIndex, index []byte }

// fuzzed is a log dir of which the files are written over and over: to make another each time takes
// longer than to read it.
func fuzzed(f *testing.F) *logDir {
	d := newLogDir(f)
	d.folder("or-ders-3")
	return d
}

func (d *logDir) files(base model.Offset, f files) {
	name := fmt.Sprintf("or-ders-3/%020d", base)
	d.write(name+".log", f.log)
	d.write(name+".timeindex", f.timeIndex)
	d.write(name+".index", f.index)
}

// read2 reads any files as a closed segment and as the active one behind it, twice, and holds what is
// shown against the twin.
func (d logDir) read2(t *testing.T, closed, active files, next model.Offset) (shown int) {
	t.Helper()
	d.t = t
	d.files(0, closed)
	d.files(next, active)
	r := d.reader()
	for range 2 {
		broker, problems := r.Read(later())
		replica := broker.Replicas[key]
		if replica == nil {
			if len(problems) == 0 {
				t.Error("no replica and no problem")
			}
			continue
		}
		if shown++; len(replica.Segments) != 2 {
			t.Fatalf("replica %+v", replica)
		}
		for i, f := range []files{closed, active} {
			got := replica.Segments[i]
			own := twinOf(f.log, got.Base)
			if err := own.check(f.log, f.timeIndex, got, i == 1); err != nil {
				t.Errorf("segment %d: %v\nlog %x\ntime index %x\noffset index %x", i, err, f.log, f.timeIndex, f.index)
			}
		}
	}
	return shown
}

// FuzzFiles reads any bytes as the files of a log dir.
func FuzzFiles(f *testing.F) {
	log, index := batches(record{0, 100}, record{1, 50}, record{2, 300}), times(0, record{0, 100}, record{2, 300})
	f.Add(log, index, []byte{0, 0, 0, 1, 0, 0, 0, 100})
	f.Add(log[:150], index[:13], make([]byte, 80))
	f.Add(append(log, make([]byte, 99)...), make([]byte, 120), []byte{})
	f.Add([]byte{}, []byte{}, []byte{})
	written := made(rand.New(rand.NewSource(1)), 0)
	f.Add(written.log, written.timeIndex, written.index)
	d := fuzzed(f)
	f.Fuzz(func(t *testing.T, log, timeIndex, index []byte) {
		one := files{log, timeIndex, index}
		d.read2(t, one, one, 0x7000)
	})
}

// made is a segment as a broker writes one: batches of some sizes with stamps in some disorder, and
// entries in both indexes after some bytes each.
func made(random *rand.Rand, base model.Offset) (f files) {
	interval, since := []int{1, 300, 4096}[random.Intn(3)], 0
	offset, newest, of := base, model.Instant(-1), base
	last := model.Instant(-1) // of the time index
	entry := func() {
		if newest > last {
			f.timeIndex = binary.BigEndian.AppendUint64(f.timeIndex, uint64(newest))
			f.timeIndex = binary.BigEndian.AppendUint32(f.timeIndex, uint32(of-base))
			last = newest
		}
	}
	disorder := 1 + random.Intn(3)*500
	for n := 1 + random.Intn(150); n > 0; n-- {
		records, stamp := model.Offset(1+random.Intn(5)), model.Instant(1_700_000_000_000+100*int(offset)+random.Intn(disorder))
		b := make([]byte, headerBytes+random.Intn(120))
		copy(b, batches(record{offset, stamp}))
		binary.BigEndian.PutUint32(b[8:], uint32(len(b)-12))
		binary.BigEndian.PutUint32(b[23:], uint32(records-1))
		if stamp > newest {
			newest, of = stamp, offset+records-1
		}
		if since > interval {
			f.index = binary.BigEndian.AppendUint32(f.index, uint32(offset+records-1-base))
			f.index = binary.BigEndian.AppendUint32(f.index, uint32(len(f.log)))
			entry()
			since = 0
		}
		f.log = append(f.log, b...)
		since += len(b)
		offset += records
	}
	entry() // as when it rolls
	return f
}

const headerBytes = 61

// spoiled spoils one or two of the files, or puts one of another segment in its place.
func (f files) spoiled(random *rand.Rand, foreign files) files {
	for range 1 + random.Intn(2) {
		which, unit := random.Intn(3), []int{1, 4, 8, 12, 61, 4096}[random.Intn(6)]
		from := []*[]byte{&foreign.log, &foreign.timeIndex, &foreign.index}[which]
		of := []*[]byte{&f.log, &f.timeIndex, &f.index}[which]
		if random.Intn(5) == 0 || len(*of) == 0 {
			*of = *from
			continue
		}
		*of = spoil(random, *of, unit)
	}
	return f
}

// FuzzSpoiled cuts, zeroes, shuffles and swaps files that were whole.
func FuzzSpoiled(f *testing.F) {
	for seed := range int64(200) {
		f.Add(seed)
	}
	d := fuzzed(f)
	f.Fuzz(func(t *testing.T, seed int64) {
		random := rand.New(rand.NewSource(seed))
		const next = 1000
		closed, active := made(random, 0), made(random, next)
		if random.Intn(2) == 0 { // what a broker allocates ahead
			active.timeIndex = append(active.timeIndex, make([]byte, 12*random.Intn(50))...)
			active.index = append(active.index, make([]byte, 8*random.Intn(50))...)
		}
		if whole := d.read2(t, closed, active, next); whole != 2 {
			t.Error("whole files were not read")
		}
		d.read2(t, closed.spoiled(random, active), active.spoiled(random, closed), next)
	})
}

// FuzzCheckpoint reads any bytes as both checkpoints.
func FuzzCheckpoint(f *testing.F) {
	for _, text := range []string{
		"0\n1\nor-ders 3 1\n", "0\n0\n", "1\n", "", "0\n2\nor-ders 3 7\nor-ders 3 9\n", "0\n1\nor-ders 3 -1\n", "0\n1\nor-ders 3 99999999999999999999\n",
		"0\r\n1\r\nor-ders 3 5\r\n", "0\n1\nor-ders\t3\t5", "0\n2\nor-ders 3 5\nor-ders 4 6", "0\n1\n\n",
	} {
		f.Add([]byte(text))
	}
	d := fuzzed(f)
	d.files(0, files{batches(record{0, 1}), nil, nil})
	f.Fuzz(func(t *testing.T, text []byte) {
		d := &logDir{t, d.path}
		d.write("log-start-offset-checkpoint", text)
		d.write("replication-offset-checkpoint", text)
		broker, problems := d.reader().Read(later())
		want, ok := checkpointTwin(text)
		got, known := broker.Replicas[key].HighWatermark.Get()
		if known && (!ok || got != want || broker.Replicas[key].Start != want) {
			t.Errorf("%q says %d (%t), read were %d and %d", text, want, ok, got, broker.Replicas[key].Start)
		}
		if ok && !known && len(problems) == 0 {
			t.Errorf("%q says %d, nothing was read, and no problem", text, want)
		}
	})
}
