package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"kafka-retention-exporter/model"
)

// replica is the folder of one partition, and what was read of it.
type replica struct {
	key      model.PartitionKey
	folder   string
	dir      string // the log dir that it is in
	topic    model.TopicID
	listed   listing
	bases    []model.Offset
	segments []segment       // of the bases
	active   string          // the path of the last one, once it is asked for
	shown    []model.Segment // the same as they were handed out, nil once they have changed
	deleted  model.Bytes
	first    model.Maybe[model.Instant]
	whole    bool         // the last reading succeeded
	firstOf  model.Offset // the segment whose first batch that is of
	below    model.Maybe[model.Below]
}

// listing is when a folder was listed, and what its time of change was then.
type listing struct{ changed, at time.Time }

// settle is how fine the clock of a file system may be: a change within that time after a listing
// leaves the folder's time as it was.
const settle = 2 * time.Second

// holds tells whether the names in a folder are those that were listed.
func (l listing) holds(changed time.Time) bool {
	return !l.at.IsZero() && l.changed.Equal(changed) && l.at.Sub(changed) > settle
}

// attempts is how often a folder is listed anew because files went while they were read. A broker
// renames and unlinks at any moment.
const attempts = 4

// read brings the replica up to date. One whose folder is gone is not whole, and no error: the next
// listing of the log dir leaves it out.
func (r *replica) read(f *folder, now time.Time, served model.Offset) (err error) {
	r.whole = false
	f.path = r.folder
	for range attempts {
		if err = r.try(f, now, served); !errors.Is(err, fs.ErrNotExist) {
			r.whole = err == nil
			return err
		}
		if _, there := f.changed(); errors.Is(there, fs.ErrNotExist) {
			return nil
		}
		r.listed = listing{}
	}
	return err
}

func (r *replica) try(f *folder, now time.Time, served model.Offset) error {
	changed, err := f.changed()
	if err != nil {
		return fmt.Errorf("look at replica: %w", err)
	}
	if r.listed.holds(changed) {
		if err := r.readActive(f); err != nil {
			return err
		}
		return r.readBelow(f, served, nil)
	}
	if err := f.enter(); err != nil {
		return fmt.Errorf("list replica: %w", err)
	}
	defer f.leave()
	r.listed = listing{} // what is not read to its end is listed anew
	if err := r.list(f); err != nil {
		return err
	}
	before := r.segments
	if err := r.readSegments(f); err != nil {
		return err
	}
	if err := r.readBelow(f, served, before); err != nil {
		return err
	}
	r.listed = listing{changed, now}
	return nil
}

// list reads the names: the bases, and the bytes of what waits to be unlinked.
func (r *replica) list(f *folder) error {
	names, err := f.names()
	if err != nil {
		return fmt.Errorf("list replica: %w", err)
	}
	r.bases, r.deleted, r.active = make([]model.Offset, 0, len(names)/3), 0, "" // most have three files
	for _, name := range names {
		if base, ok := baseOf(name, logEnding); ok {
			r.bases = append(r.bases, base)
		} else if _, ok := baseOf(name, logEnding+deletedEnding); ok {
			if l, err := f.look(name); err == nil { // unlinked meanwhile: no longer waiting
				r.deleted += model.Bytes(l.size)
			}
		}
	}
	slices.Sort(r.bases)
	if r.topic == (model.TopicID{}) {
		r.topic = topicID(f)
	}
	return nil
}

// readSegments reads what is new after names changed. A closed segment that looks as it did is
// taken as it was; compaction puts other files in the place of old ones.
func (r *replica) readSegments(f *folder) (err error) {
	segments := make([]segment, len(r.bases))
	for i, base := range r.bases {
		known := r.known(base)
		if i == len(r.bases)-1 {
			segments[i], err = readActive(f, base, known)
		} else {
			segments[i], err = r.readClosed(f, base, known)
		}
		if err != nil {
			r.segments, r.shown = segments[:i], nil // those need not be read again
			return err
		}
	}
	r.segments, r.shown = segments, nil
	return r.readFirst(f)
}

func (r *replica) readClosed(f *folder, base model.Offset, known *segment) (segment, error) {
	if known != nil && !known.active {
		l, err := f.look(fileOf(base, logEnding))
		if err != nil {
			return segment{}, fmt.Errorf("look at segment: %w", err)
		}
		if known.same(l) {
			return *known, nil
		}
	}
	return readClosed(f, base)
}

// readActive reads what was added to the last segment while the names stayed what they are.
func (r *replica) readActive(f *folder) error {
	if len(r.segments) == 0 {
		return nil
	}
	active := &r.segments[len(r.segments)-1]
	if r.active == "" {
		r.active = filepath.Join(r.folder, fileOf(active.Base, logEnding))
	}
	l, err := f.lookAt(r.active)
	if err != nil {
		return fmt.Errorf("look at segment: %w", err)
	}
	if active.same(l) {
		return nil
	}
	now, err := readActive(f, active.Base, active)
	if err != nil {
		return err
	}
	*active, r.shown = now, nil
	return r.readFirst(f)
}

func (r *replica) known(base model.Offset) *segment {
	i, ok := slices.BinarySearchFunc(r.segments, base, func(s segment, b model.Offset) int { return int(s.Base - b) })
	if !ok {
		return nil
	}
	return &r.segments[i]
}

func (r *replica) readFirst(f *folder) (err error) {
	if len(r.bases) == 0 {
		r.first = model.Maybe[model.Instant]{}
		return nil
	}
	if r.first.IsKnown() && r.firstOf == r.bases[0] {
		return nil
	}
	r.firstOf = r.bases[0]
	r.first, err = firstStamp(f, r.bases[0])
	return err
}

// local is the replica as it is handed out; what is read later does not change it.
func (r *replica) local(noted checkpoints) *model.LocalReplica {
	if r.shown == nil {
		r.shown = make([]model.Segment, len(r.segments))
		for i := range r.segments {
			r.shown[i] = r.segments[i].Segment
		}
	}
	out := &model.LocalReplica{Key: r.key, TopicID: r.topic, Dir: r.dir, Segments: r.shown, First: r.first, Deleted: r.deleted}
	out.Below, _ = r.below.Get()
	if len(r.bases) > 0 {
		out.Start = r.bases[0]
	}
	if start, ok := noted.starts[r.key]; ok {
		out.Start = max(out.Start, start)
	}
	if watermark, ok := noted.watermarks[r.key]; ok {
		out.HighWatermark = model.Known(watermark)
	}
	return out
}
