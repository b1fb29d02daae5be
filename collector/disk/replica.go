package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"kafka-retention-exporter/model"
)

// replica is the folder of one partition, and what was read of it.
type replica struct {
	key      model.PartitionKey
	folder   string
	topic    model.TopicID
	listed   listing
	bases    []model.Offset
	segments []segment // of the bases
	deleted  model.Bytes
	first    model.Maybe[model.Instant]
	whole    bool         // the last reading succeeded
	firstOf  model.Offset // the segment whose first batch that is of
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
func (r *replica) read(now time.Time) (err error) {
	r.whole = false
	for range attempts {
		if err = r.try(now); !errors.Is(err, fs.ErrNotExist) {
			r.whole = err == nil
			return err
		}
		if _, there := os.Stat(r.folder); errors.Is(there, fs.ErrNotExist) {
			return nil
		}
		r.listed = listing{}
	}
	return err
}

func (r *replica) try(now time.Time) error {
	info, err := os.Stat(r.folder)
	if err != nil {
		return fmt.Errorf("look at replica: %w", err)
	}
	anew := !r.listed.holds(info.ModTime())
	if anew {
		if err := r.list(); err != nil {
			return err
		}
		r.listed = listing{info.ModTime(), now}
	}
	if len(r.bases) == 0 {
		r.segments, r.first = nil, model.Maybe[model.Instant]{}
		return nil
	}
	segments, err := r.readSegments(anew)
	if err != nil {
		return err
	}
	r.segments = segments
	return r.readFirst()
}

// list reads the names: the bases, and the bytes of what waits to be unlinked.
func (r *replica) list() error {
	entries, err := os.ReadDir(r.folder)
	if err != nil {
		return fmt.Errorf("list replica: %w", err)
	}
	r.bases, r.deleted = nil, 0
	for _, e := range entries {
		if base, ok := baseOf(e.Name(), logEnding); ok {
			r.bases = append(r.bases, base)
		} else if _, ok := baseOf(e.Name(), logEnding+deletedEnding); ok {
			if info, err := e.Info(); err == nil { // unlinked meanwhile: no longer waiting
				r.deleted += model.Bytes(info.Size())
			}
		}
	}
	slices.Sort(r.bases)
	if r.topic == (model.TopicID{}) {
		r.topic = topicID(r.folder)
	}
	return nil
}

// readSegments reads what is new. A closed segment is looked at again only where the names changed:
// compaction puts other files in the place of old ones.
func (r *replica) readSegments(anew bool) ([]segment, error) {
	segments := make([]segment, len(r.bases))
	for i, base := range r.bases {
		known, active := r.known(base), i == len(r.bases)-1
		if known != nil && !known.active && !active && !anew {
			segments[i] = *known
			continue
		}
		info, err := os.Stat(fileOf(r.folder, base, logEnding))
		if err != nil {
			return nil, fmt.Errorf("look at segment: %w", err)
		}
		switch {
		case active && known != nil && known.same(info) && known.active:
			segments[i] = *known
		case active:
			segments[i], err = readActive(r.folder, base, info, known)
		case known != nil && !known.active && known.same(info):
			segments[i] = *known
		default:
			segments[i], err = readClosed(r.folder, base, info)
		}
		if err != nil {
			return nil, err
		}
	}
	return segments, nil
}

func (r *replica) known(base model.Offset) *segment {
	i, ok := slices.BinarySearchFunc(r.segments, base, func(s segment, b model.Offset) int { return int(s.Base - b) })
	if !ok {
		return nil
	}
	return &r.segments[i]
}

func (r *replica) readFirst() (err error) {
	if r.first.IsKnown() && r.firstOf == r.bases[0] {
		return nil
	}
	r.firstOf = r.bases[0]
	r.first, err = firstStamp(r.folder, r.bases[0])
	return err
}

// local is the replica as it is handed out; what is read later does not change it.
func (r *replica) local(starts, watermarks map[model.PartitionKey]model.Offset) *model.LocalReplica {
	out := &model.LocalReplica{Key: r.key, TopicID: r.topic, Dir: filepath.Dir(r.folder), First: r.first, Deleted: r.deleted}
	out.Segments = make([]model.Segment, len(r.segments))
	for i := range r.segments {
		out.Segments[i] = r.segments[i].Segment
	}
	if len(r.bases) > 0 {
		out.Start = r.bases[0]
	}
	if start, ok := starts[r.key]; ok {
		out.Start = max(out.Start, start)
	}
	if watermark, ok := watermarks[r.key]; ok {
		out.HighWatermark = model.Known(watermark)
	}
	return out
}
