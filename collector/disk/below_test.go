package disk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"kafka-retention-exporter/model"
)

// marker is the batch that ends a transaction.
func marker(r record) []byte {
	b := batches(r)
	b[22] |= 1 << 5
	return b
}

// TestWhatIsBelowTheLogStart is a record or a marker, by the one batch that has that offset.
func TestWhatIsBelowTheLogStart(t *testing.T) {
	d := newLogDir(t)
	d.folder("or-ders-3")
	d.segment("or-ders-3", 0, 0, record{0, 100}, record{1, 200})
	d.write("or-ders-3/00000000000000000000.log", append(batches(record{0, 100}), marker(record{1, 200})...))
	d.segment("or-ders-3", 2, 0, record{2, 300}, record{3, 400})
	d.segment("or-ders-3", 4, 9, record{4, 500})
	r := d.reader()
	below := func(start int, want model.Maybe[bool]) {
		t.Helper()
		r.Serves(map[model.PartitionKey]model.Offset{key: model.Offset(start)})
		if got := d.read(r).Replicas[key].Below; got.Marker != want || got.Start < model.Offset(start) {
			t.Errorf("below %d: %v, want %v", got.Start, got.Marker, want)
		}
	}
	var unread model.Maybe[bool]
	below(0, unread)
	below(1, model.Known(false))
	below(2, model.Known(true))
	below(3, model.Known(false))
	gone := func(base int) {
		for _, ending := range []string{".log", ".index", ".timeindex"} {
			if err := os.Remove(filepath.Join(d.path, "or-ders-3", fmt.Sprintf("%020d%s", base, ending))); err != nil {
				t.Fatal(err)
			}
		}
	}
	r = d.reader()
	below(0, unread)
	gone(0)
	below(0, model.Known(true)) // as it was read before it went
	gone(2)
	below(0, model.Known(false))
	r = d.reader()
	below(0, unread) // nobody who is there has read it
}
