package sim

import (
	"math/rand"
	"slices"

	"kafka-retention-exporter/model"
)

// Reader is a group on the partition: how it reads and what it looks like.
type Reader struct {
	PerMs float64      // records a millisecond that it can read
	Noise float64      // of that from commit to commit, as a share
	Gap   model.Millis // between commits
	// Spells change its pace or what it is listed as.
	Spells []Spell
	// Runs are set for a batch job: it reads only from each of these instants until it has read all.
	Runs []model.Instant
	// Late tells which of the runs came later than the rhythm of the others, or not at all: from
	// when the job was due until it ran.
	Late []interval
	// Resets move its position.
	Resets []Seek
	// Behind is how old the record is that it reads next when it begins.
	Behind model.Millis
	// Born is when it commits first, Expires when its position expires.
	Born, Expires model.Instant
	// LatestOnLoss tells that it goes on from the end and not from the log start.
	LatestOnLoss bool
	Protocol     string // empty for a group that only commits
	Kind         model.GroupKind
	// Sound tells that it never falls behind for good: a loss that does not show will not come.
	Sound bool
	// Width is how many other partitions it reads, all of them well.
	Width int
}

// Spell is a stretch of time in which a group reads at so many times its pace, listed in a state
// of its own; an empty one is the usual.
type Spell struct {
	interval
	Times float64
	State string
}

// Seek is a reset of a position, to the log start or to the end.
type Seek struct {
	At       model.Instant
	ToLatest bool
}

// reading is a group at work.
type reading struct {
	Reader
	random    *rand.Rand
	due       model.Instant // of the next commit
	last      model.Instant // of the last one
	read      float64
	committed model.Offset
	exists    bool          // it has a committed offset
	still     model.Instant // since when it has not advanced
	rewound   model.Maybe[model.Instant]
	advances  int // since the last rewind
	resets    []Seek
	run       int  // which of the runs is next
	running   bool // a run is under way
}

func (g Reader) begin(at model.Instant, seed int64) *reading {
	return &reading{Reader: g, random: rand.New(rand.NewSource(seed)), due: at, last: at, still: at, resets: g.Resets}
}

// next is when it next commits.
func (g *reading) next() model.Instant { return max(g.due, g.Born) }

// spell is the one that an instant lies in, or the usual.
func (g *reading) spell(t model.Instant) Spell {
	i := slices.IndexFunc(g.Spells, func(s Spell) bool { return t >= s.from && t < s.to })
	if i < 0 {
		return Spell{Times: 1}
	}
	return g.Spells[i]
}

// listed is the state it is listed in.
func (g *reading) listed(t model.Instant) string {
	s := g.spell(t)
	switch {
	case g.Protocol == "" || s.State == "" && g.Runs != nil && !g.running:
		return "Empty"
	case s.State == "":
		return "Stable"
	}
	return s.State
}

// stands tells that it does not read at all.
func (g *reading) stands(t model.Instant) bool {
	s := g.spell(t)
	return s.Times == 0 || g.Runs != nil && !g.running
}

// commit is one commit: what it read since the last one. start and end are those of the log.
func (g *reading) commit(now model.Instant, start, end model.Offset) {
	span := now.Sub(g.last)
	g.last, g.due = now, now.Add(g.Gap)
	noise := max(0, 1+g.Noise*g.random.NormFloat64())
	if now >= g.Expires {
		g.exists, g.due = false, model.Forever
		return
	}
	if !g.exists {
		g.exists, g.read, span = true, max(g.read, float64(start)), 0
	}
	if len(g.resets) > 0 && now >= g.resets[0].At {
		g.seek(now, start, end)
		return
	}
	g.startRun(now)
	if g.stands(now) {
		return
	}
	if g.read < float64(start) {
		g.read = float64(start)
		if g.LatestOnLoss {
			g.read = float64(end)
		}
	}
	s := g.spell(now)
	g.read = min(g.read+g.PerMs*s.Times*noise*float64(span), float64(end))
	if g.Runs != nil && g.read >= float64(end) {
		g.running = false
	}
	g.advance(now, model.Offset(g.read))
}

func (g *reading) startRun(now model.Instant) {
	for g.run < len(g.Runs) && now >= g.Runs[g.run] {
		g.running = true
		g.run++
	}
}

func (g *reading) seek(now model.Instant, start, end model.Offset) {
	to := start
	if g.resets[0].ToLatest {
		to = end
	}
	g.resets = g.resets[1:]
	if to < g.committed {
		g.rewound, g.advances = model.Known(now), 0
	}
	g.read = float64(to)
	g.committed, g.still = to, now
}

func (g *reading) advance(now model.Instant, to model.Offset) {
	if to <= g.committed {
		return
	}
	g.committed, g.still = to, now
	g.advances++
}

// nextRun is when a job that works in runs and rests now is to run next, by the last two of its runs; ok
// is false for other groups, while it runs, and where a run that was due has not come.
func (g *reading) nextRun(now model.Instant) (next model.Instant, ok bool) {
	if g.Runs == nil || g.running || g.run < 2 {
		return 0, false
	}
	last := g.Runs[g.run-1]
	period := last.Sub(g.Runs[g.run-2])
	next = last.Add(period + period/20)
	return next, now <= next
}
