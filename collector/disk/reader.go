// Package disk reads the log dirs of a broker beside it, as it runs: segment bases, sizes and newest
// stamps of every replica, exactly as the broker judges them. It only ever opens files for reading,
// never maps them (the broker cuts index files short, and a mapping would crash), takes no lock, and
// expects files to be renamed and unlinked at any moment (broker.md 10.6).
//
// What has not changed is not read again: a folder is listed when its time of change says that
// names changed, a closed segment is read once, and of the active one only what was added.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kafka-retention-exporter/model"
)

// Reader reads the log dirs of one broker, and remembers what it read. It is used from one goroutine.
type Reader struct {
	dirs     []string
	listings map[string]listing
	replicas map[string]*replica // by folder
	served   map[model.PartitionKey]model.Offset
	hands    []*folder
}

// NewReader makes a reader that has not read anything yet.
func NewReader(dirs ...string) *Reader {
	return &Reader{dirs: dirs, listings: map[string]listing{}, replicas: map[string]*replica{}}
}

// Serves tells the log starts that brokers answer with. Their checkpoint tells them up to a minute late.
func (r *Reader) Serves(starts map[model.PartitionKey]model.Offset) { r.served = starts }

// Read looks at all log dirs. What cannot be read is in problems, and the rest is whole; a replica
// that cannot be read is left out. now is the time by the file system's clock.
func (r *Reader) Read(now time.Time) (broker model.LocalBroker, problems []model.Problem) {
	noted := map[string]checkpoints{}
	var wrong []error
	for _, dir := range r.dirs {
		if err := r.readDir(dir, now, &broker); err != nil {
			wrong = append(wrong, err)
			continue
		}
		found, errs := readCheckpoints(dir)
		noted[filepath.Clean(dir)], wrong = found, append(wrong, errs...)
	}
	wrong = append(wrong, r.update(now)...)
	broker.Replicas = make(map[model.PartitionKey]*model.LocalReplica, len(r.replicas))
	for _, one := range r.replicas {
		if one.whole {
			broker.Replicas[one.key] = one.local(noted[one.dir])
		}
	}
	return broker, problemsOf(wrong)
}

// readDir reads whose log dir it is and, where names changed, which replicas are in it.
func (r *Reader) readDir(dir string, now time.Time, broker *model.LocalBroker) error {
	id, err := readIdentity(dir)
	if err != nil {
		return err
	}
	if broker.ClusterID != "" && (id.broker != broker.ID || id.cluster != broker.ClusterID) {
		return fmt.Errorf("%s is a log dir of broker %d in cluster %s, the others are of broker %d in %s", dir, id.broker, id.cluster, broker.ID, broker.ClusterID)
	}
	broker.ID, broker.ClusterID = id.broker, id.cluster
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("look at log dir: %w", err)
	}
	if r.listings[dir].holds(info.ModTime()) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("list log dir: %w", err)
	}
	r.listings[dir] = listing{info.ModTime(), now}
	r.adopt(dir, entries)
	return nil
}

// adopt takes in the folders that a log dir has now.
func (r *Reader) adopt(dir string, entries []fs.DirEntry) {
	there := map[string]bool{}
	for _, e := range entries {
		folder := filepath.Join(dir, e.Name())
		if key, ok := partitionOf(e.Name()); ok {
			there[folder] = true
			if r.replicas[folder] == nil {
				r.replicas[folder] = &replica{key: key, folder: folder, dir: filepath.Dir(folder)}
			}
		}
	}
	for folder := range r.replicas {
		if r.replicas[folder].dir == filepath.Clean(dir) && !there[folder] {
			delete(r.replicas, folder)
		}
	}
}

// update reads all replicas, as many at a time as there are processors: most of the time of a first
// reading goes to opening files.
func (r *Reader) update(now time.Time) (wrong []error) {
	replicas := slices.Collect(maps.Values(r.replicas))
	var next atomic.Int64
	var workers sync.WaitGroup
	var failed sync.Mutex
	for _, f := range r.allHands() {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(replicas)); i = next.Add(1) - 1 {
				if err := replicas[i].read(f, now, r.served[replicas[i].key]); err != nil {
					failed.Lock()
					wrong = append(wrong, err)
					failed.Unlock()
				}
			}
		})
	}
	workers.Wait()
	return wrong
}

// allHands are the ways to files of those who read at the same time.
func (r *Reader) allHands() []*folder {
	for len(r.hands) < runtime.GOMAXPROCS(0) {
		r.hands = append(r.hands, &folder{})
	}
	return r.hands
}

// problemsOf puts errors of one cause together, with the first of them for people.
func problemsOf(wrong []error) []model.Problem {
	byCause := map[string]*model.Problem{}
	for _, err := range wrong {
		if err == nil {
			continue
		}
		cause := causeOf(err)
		if byCause[cause] == nil {
			byCause[cause] = &model.Problem{Stage: model.StageLogDirs, Cause: cause, Detail: err.Error()}
		}
		byCause[cause].Count++
	}
	var out []model.Problem
	for _, cause := range slices.Sorted(maps.Keys(byCause)) {
		out = append(out, *byCause[cause])
	}
	return out
}

// causeOf is the word for what hinders the reading.
func causeOf(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "file_permission"
	case errors.Is(err, fs.ErrNotExist):
		return "file_missing"
	case errors.Is(err, errDamaged):
		return "file_damaged"
	}
	return "file"
}
