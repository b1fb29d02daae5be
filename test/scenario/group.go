package scenario

import (
	"context"
	"sync"
	"time"
)

// group is a consumer group under way.
type group struct {
	play  *play
	spec  Group
	pair  Pair
	track track

	mu       sync.Mutex
	pace     float64
	position float64   // of a memberless group: with the fraction of a record that its pace has earned
	fallen   time.Time // since when it has been below the log start; zero if it is not
	clients  []*client
}

func newGroup(p *play, spec Group, from int64) *group {
	return &group{play: p, spec: spec, pair: pairOf(p.spec, spec), pace: spec.Pace, position: float64(from)}
}

func (g *group) setPace(pace float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pace = pace
}

func (g *group) paceNow() float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.pace
}

// seek moves a memberless group, which commits the new position with its next commit.
func (g *group) seek(to int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.position = float64(to)
}

// runAlone moves the position as a reader of that pace would and commits it whenever it has changed.
func (g *group) runAlone(ctx context.Context) error {
	last := time.Now()
	for {
		if !sleepUntil(ctx, last.Add(g.spec.Every)) {
			return nil
		}
		now := time.Now()
		g.play.topic.RLock()
		var err error
		if g.advance(now.Sub(last)) {
			err = g.commit(ctx)
		}
		g.play.topic.RUnlock()
		if err != nil {
			return err
		}
		last = now
	}
}

// advance reads for a while, not beyond the end, and tells whether there is something to commit. Where the
// position has fallen off the log it is stuck for its time and then goes on from the log start; a group
// that stands still does not even notice.
func (g *group) advance(d time.Duration) bool {
	log, ok := g.play.truth.Last(g.key())
	if !ok || log.Sent.Before(g.play.born) {
		return false // the sampler has not seen this topic yet
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pace == 0 || g.spec.Runs != nil && !g.spec.Runs(time.Since(g.play.zero)) {
		return false
	}
	if g.position < float64(log.Start) {
		if g.fallen.IsZero() {
			g.fallen = time.Now()
		}
		if time.Since(g.fallen) < g.spec.Stuck {
			return false
		}
		g.position = float64(log.Start)
		if g.spec.ToEnd {
			g.position = float64(log.End)
		}
	}
	g.fallen = time.Time{}
	g.position = max(g.position, min(float64(log.End), g.position+g.pace*d.Seconds()))
	committed, ok := g.track.last()
	return !ok || int64(g.position) != committed
}

// commit commits the position without a membership.
func (g *group) commit(ctx context.Context) error {
	g.mu.Lock()
	at := int64(g.position)
	g.mu.Unlock()
	sent := time.Now()
	if err := g.play.ops.Commit(ctx, g.pair.Group, g.pair.Topic, 0, at); err != nil {
		return err
	}
	g.track.add(Commit{Offset: at, Sent: sent, Acked: time.Now()})
	return nil
}

// track is every commit of a group, oldest first.
type track struct {
	mu  sync.Mutex
	all []Commit
}

func (t *track) add(c Commit) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, c)
}

func (t *track) last() (offset int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.all) == 0 {
		return 0, false
	}
	return t.all[len(t.all)-1].Offset, true
}

func (t *track) copy() []Commit {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Commit(nil), t.all...)
}
