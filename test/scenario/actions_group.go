package scenario

import (
	"context"
	"errors"
	"time"
)

// of is an action on a group of the scenario.
func of(name string, a Action, do func(context.Context, *group) error) Action {
	a.group = name
	a.do = func(ctx context.Context, p *play) error {
		g, err := p.group(name)
		if err == nil {
			err = do(ctx, g)
		}
		return err
	}
	return a
}

// Pace changes how fast a group reads; 0 lets it stand still, members included.
func Pace(name string, pace float64) Action {
	return of(name, Action{name: "pace of " + name, kind: PaceChanged, mends: pace > 0}, func(_ context.Context, g *group) error {
		g.setPace(pace)
		return nil
	})
}

// Leave ends a group's clients: members leave, and nothing is committed any more.
func Leave(name string) Action {
	return of(name, Action{name: "leave of " + name, kind: MembersChanged}, func(_ context.Context, g *group) error {
		g.leave()
		return nil
	})
}

// Kill ends a group's clients as a power cut does: nobody says good-bye to the broker.
func Kill(name string) Action {
	return of(name, Action{name: "kill of " + name, kind: MembersChanged}, func(_ context.Context, g *group) error {
		g.kill()
		return nil
	})
}

// Join starts the clients of a group that has none.
func Join(name string) Action {
	return of(name, Action{name: "join of " + name, kind: MembersChanged, mends: true}, func(_ context.Context, g *group) error {
		g.join()
		return nil
	})
}

// Roll restarts a group's members one after the other, each away for a while.
func Roll(name string, away time.Duration) Action {
	return of(name, Action{name: "roll of " + name, kind: MembersChanged}, func(ctx context.Context, g *group) error {
		return g.roll(ctx, away)
	})
}

// Reset commits another position for a memberless group: the end of the log, or its start.
func Reset(name string, toEnd bool) Action {
	return of(name, Action{name: "reset of " + name, kind: PositionReset}, func(ctx context.Context, g *group) error {
		g.play.topic.RLock()
		defer g.play.topic.RUnlock()
		log, ok := g.play.truth.Last(g.key())
		if !ok {
			return errors.New("no log was seen yet")
		}
		at := log.Start
		if toEnd {
			at = log.End
		}
		g.seek(at)
		return g.commit(ctx)
	})
}
