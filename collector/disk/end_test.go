package disk_test

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"kafka-retention-exporter/collector/disk"
	"kafka-retention-exporter/model"
)

// segmentShown is what a reading says of the closed segment of or-ders-3; without a replica, why not.
func (d *logDir) segmentShown(r *disk.Reader) string {
	broker, problems := r.Read(later())
	if replica := broker.Replicas[key]; replica != nil {
		return fmt.Sprintf("%+v %+v", replica.Segments, replica.Below)
	}
	return fmt.Sprint(problems)
}

// put writes a closed segment and an active one behind it. A file that is nil is missing.
func (d *logDir) put(closed files) {
	d.t.Helper()
	const next = 1000
	d.folder("or-ders-3")
	d.segment("or-ders-3", next, 9, record{next, 1_700_000_999_999})
	d.files(0, closed)
	for ending, raw := range map[string][]byte{"log": closed.log, "timeindex": closed.timeIndex, "index": closed.index} {
		if raw == nil {
			if err := os.Remove(filepath.Join(d.path, "or-ders-3", "00000000000000000000."+ending)); err != nil {
				d.t.Fatal(err)
			}
		}
	}
}

// place adds an entry to an offset index.
func place(index []byte, offset, position int) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(index, uint32(offset)), uint32(position))
}

// padded is a batch with room for records.
func padded(r record, size int) []byte {
	b := append(batches(r), make([]byte, size-batchSize)...)
	binary.BigEndian.PutUint32(b[8:], uint32(size-12))
	return b
}

const start = model.Instant(1_700_000_000_000)

// steady are a hundred batches, one each second, with an entry in both indexes for each 40th.
func steady() (f files) {
	var all []record
	for i := range 100 {
		all = append(all, record{model.Offset(i), start + model.Instant(1000*i)})
	}
	return files{batches(all...), times(0, all[0], all[39], all[79], all[99]), place(place(nil, 39, 3900), 79, 7900)}
}

// TestLogsEndSavesTheOffsetIndex: in each of these states a reading that goes by the log's end alone, where
// that can be, shows what one shows that asks the offset index about each segment. opens is by how much
// it is cheaper.
func TestLogsEndSavesTheOffsetIndex(t *testing.T) {
	for name, one := range map[string]struct {
		change func(f *files)
		opens  int64
	}{
		"as it was written":                             {func(*files) {}, 1},
		"the log is cut in a batch":                     {func(f *files) { f.log = f.log[:9950] }, 0},
		"the log is cut between":                        {func(f *files) { f.log = f.log[:9900] }, 0},
		"the log ends in zeros":                         {func(f *files) { f.log = append(f.log, make([]byte, 300)...) }, 0},
		"the log ends in much of a block that is zeros": {func(f *files) { f.log = append(f.log, make([]byte, 4000)...) }, 0},
		"the log ends in many zeros":                    {func(f *files) { f.log = append(f.log, make([]byte, 9000)...) }, 0},
		"no log":                                        {func(f *files) { f.log = []byte{} }, 0},
		"the time index is empty":                       {func(f *files) { f.timeIndex = []byte{} }, 0},
		"the time index is missing":                     {func(f *files) { f.timeIndex = nil }, 0},
		"the time index is cut between":                 {func(f *files) { f.timeIndex = f.timeIndex[:36] }, 0},
		"the time index is cut in its last entry":       {func(f *files) { f.timeIndex = f.timeIndex[:44] }, 0},
		"zeros behind the time index":                   {func(f *files) { f.timeIndex = append(f.timeIndex, make([]byte, 120)...) }, 1},
		"a stamp that no batch has":                     {func(f *files) { f.timeIndex[36+7]++ }, 0},
		"an offset that is of another batch":            {func(f *files) { f.timeIndex[36+11]-- }, 0},
		"an offset that is not there":                   {func(f *files) { f.timeIndex[36+10]++ }, 0},
		"entries that do not rise":                      {func(f *files) { f.timeIndex = append(f.timeIndex, f.timeIndex[:12]...) }, 0},
		"the offset index is missing":                   {func(f *files) { f.index = nil }, 1},
		"the offset index is empty":                     {func(f *files) { f.index = []byte{} }, 1},
		"the offset index is cut":                       {func(f *files) { f.index = f.index[:12] }, 1},
		"the offset index is zeros":                     {func(f *files) { f.index = make([]byte, 800) }, 1},
		"the offset index is of another log":            {func(f *files) { f.index = place(place(nil, 17, 4444), 70, 8888) }, 1},
		"a marker is last":                              {func(f *files) { f.log[9900+22] |= 1 << 5 }, 1},
		"a batch goes back in its offsets":              {func(f *files) { f.log[9900+7] = 3 }, 0},
		"a batch at the end is newer":                   {func(f *files) { f.log = append(f.log, batches(record{100, start + 200_000})...) }, 0},
		"batches at the end are older": {func(f *files) {
			f.log = append(f.log, batches(record{100, start}, record{101, start + 98_999}, record{102, start + 99_000})...)
		}, 1},
		"the newest is far ahead": {func(f *files) {
			var more []record
			for i := range 60 {
				more = append(more, record{model.Offset(100 + i), start})
			}
			f.log, f.index = append(f.log, batches(more...)...), place(f.index, 119, 11_900)
		}, 0},
		"the last batch is large": {func(f *files) {
			f.log = append(f.log, padded(record{100, start + 100_000}, 9000)...)
			f.timeIndex, f.index = append(f.timeIndex, times(0, record{100, start + 100_000})...), place(f.index, 100, 10_000)
		}, 0},
		"a record holds the stamp": {func(f *files) {
			b := padded(record{100, start + 100_000}, 3000)
			for at := 100; at < 2900; at += 9 {
				binary.BigEndian.PutUint64(b[at:], uint64(start+100_000))
			}
			f.log, f.timeIndex = append(f.log, b...), append(f.timeIndex, times(0, record{100, start + 100_000})...)
		}, 1},
		"a record holds a batch of this log": {func(f *files) {
			b := padded(record{100, start + 100_000}, 3000)
			copy(b[1000:], batches(record{100, start + 100_000}))
			f.log, f.timeIndex = append(f.log, b...), append(f.timeIndex, times(0, record{100, start + 100_000})...)
		}, 1},
		"format 1": {func(f *files) {
			for at := 0; at < len(f.log); at += batchSize {
				f.log[at+16] = 1
				copy(f.log[at+18:], f.log[at+35:at+43])
				clear(f.log[at+35 : at+43])
			}
		}, 0},
		"no stamps": {func(f *files) {
			for at := 0; at < len(f.log); at += batchSize {
				binary.BigEndian.PutUint64(f.log[at+35:], ^uint64(0))
			}
			f.timeIndex = []byte{}
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d, f := newLogDir(t), steady()
			one.change(&f)
			d.put(f)
			quick, thorough := d.reader(), d.reader().Thorough()
			have, want := d.segmentShown(quick), d.segmentShown(thorough)
			if have != want {
				t.Errorf("by the log's end %s\nby the offset index %s", have, want)
			}
			if saved := thorough.Calls().Opens - quick.Calls().Opens; saved != one.opens {
				t.Errorf("%d opens saved, want %d", saved, one.opens)
			}
		})
	}
}

// TestLogsEndSaysWhatTheOffsetIndexDoes of segments spoiled in all ways. Where batches ahead of the log's end
// are broken, or the offset index is too, the reading by the end goes on, with what the broker itself reads.
func TestLogsEndSaysWhatTheOffsetIndexDoes(t *testing.T) {
	const readings = 600
	d, saved, only := newLogDir(t), 0, 0
	for seed := range int64(readings) {
		random := rand.New(rand.NewSource(seed))
		f := made(random, 0)
		if random.Intn(4) > 0 {
			f = f.spoiled(random, made(random, 1000))
		}
		d.put(f)
		quick, thorough := d.reader(), d.reader().Thorough()
		have, _ := quick.Read(later())
		want, _ := thorough.Read(later())
		if quick.Calls().Opens < thorough.Calls().Opens {
			saved++
		}
		got := have.Replicas[key]
		switch {
		case got != nil && want.Replicas[key] == nil:
			only++
			told := entries(f.timeIndex)
			if s := got.Segments[0]; twinOf(f.log, 0).whole || s.Largest != told[len(told)-1].stamp || !written(f.log, s.Largest) {
				t.Errorf("seed %d: have %+v, and nothing with the offset index", seed, s)
			}
		case !reflect.DeepEqual(have, want):
			t.Errorf("seed %d: have %+v\nwant %+v", seed, got, want.Replicas[key])
		}
	}
	if saved < readings/4 {
		t.Errorf("only %d of %d went without the offset index", saved, readings)
	}
	t.Logf("%d of %d went without the offset index, and %d could not be read with it", saved, readings, only)
}
