package collector_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/collector/positions"
	"kafka-retention-exporter/model"
)

// checkpoint is a file with the position of a job on partition 0 of orders.
type checkpoint struct {
	t    *testing.T
	path string
}

func newCheckpoint(t *testing.T) checkpoint {
	return checkpoint{t, filepath.Join(t.TempDir(), "checkpoint.json")}
}

func (c checkpoint) write(at model.Instant, offset int64) {
	c.t.Helper()
	text := fmt.Sprintf(`{"at": %q, "positions": [{"topic": "orders", "partition": 0, "offset": %d}, {"topic": "unwatched", "partition": 0, "offset": 1}]}`, at, offset)
	if err := os.WriteFile(c.path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// keeps configures the file as the positions of the job.
func (c checkpoint) keeps(config collector.Config, name string) collector.Config {
	config.Positions = []positions.Source{{Name: name, File: c.path, MaxAge: time.Second}}
	return config
}

func TestPositionsKeptElsewhere(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	file := newCheckpoint(t)
	file.write(900, 7)
	now := clock()
	c := newCollector(t, file.keeps(f.config(), "job"))

	s := pollWhole(t, c, now)
	g := s.Groups["job"]
	if g.Kind != model.KindExternal || g.Told != model.Known(model.Instant(900)) || g.Lapses != model.Known(model.Instant(1900)) || g.HasMembers() {
		t.Errorf("group %+v", g)
	}
	if len(g.Offsets) != 1 || s.GroupsSeen != 0 {
		t.Errorf("offsets %v, %d groups seen", g.Offsets, s.GroupsSeen)
	}
	want(t, "position", g.Offsets[key("orders", 0)], model.Commit{Offset: 7, LeaderEpoch: -1})
	fresh(t, "position", s, g.Offsets[key("orders", 0)])

	file.write(950, 9)
	s = pollWhole(t, c, now)
	want(t, "position", s.Groups["job"].Offsets[key("orders", 0)], model.Commit{Offset: 9, LeaderEpoch: -1})

	if err := os.Remove(file.path); err != nil {
		t.Fatal(err)
	}
	s = poll(t, c, now)
	carried(t, "position of a file that is gone", s, s.Groups["job"].Offsets[key("orders", 0)])
	if p := problem(t, s, model.StageOffsets, "position_source"); p.Group != "job" {
		t.Errorf("problem %+v", p)
	}
}

// TestPositionsTooOld: what a source said longer ago than it may is not read as of now.
func TestPositionsTooOld(t *testing.T) {
	f := newFake(t)
	f.topic("orders", nil, 0)
	file := newCheckpoint(t)
	file.write(-5_000, 7)
	s := poll(t, newCollector(t, file.keeps(f.config(), "job")), clock())
	problem(t, s, model.StageOffsets, "position_source_stale")
	g := s.Groups["job"]
	carried(t, "position", s, g.Offsets[key("orders", 0)])
	if !g.Lapsed(s.Started) {
		t.Errorf("group %+v has not lapsed at %v", g, s.Started)
	}
}

// TestNameOfAGroupIsTaken: a group of the cluster keeps its name, filtered out or not, until it is gone.
func TestNameOfAGroupIsTaken(t *testing.T) {
	for name, exclude := range map[string]string{"watched": "^$", "filtered out": "^job$"} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.topic("orders", nil, 0)
			file := newCheckpoint(t)
			file.write(900, 7)
			config := file.keeps(f.config(), "job")
			config.GroupExclude = pattern(exclude)
			c, now := newCollector(t, config), clock()
			pollWhole(t, c, now)

			f.commit("job", "orders", 0, 0)
			s := poll(t, c, now)
			if p := problem(t, s, model.StageOffsets, "position_name_taken"); p.Group != "job" {
				t.Errorf("problem %+v", p)
			}
			if g, there := s.Groups["job"]; there != (exclude == "^$") || g.Kind == model.KindExternal {
				t.Errorf("group %+v, there %t", g, there)
			}
			if _, err := f.admin.DeleteGroup(t.Context(), "job"); err != nil {
				t.Fatal(err)
			}
			for range 4 { // to believe that it is gone takes two lists
				s = poll(t, c, now)
			}
			if g := s.Groups["job"]; g.Kind != model.KindExternal {
				t.Errorf("the name is free again, and shows %+v", g)
			}
		})
	}
}
