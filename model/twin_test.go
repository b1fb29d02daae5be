package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kafka-retention-exporter/model"
)

// The twin is the pass written down a second time as the broker runs it, one segment at a
// time and one rule after the other, with nothing clever in it.

type twin struct {
	segments []model.Segment
	at       model.Marks
	deleted  int
}

func twinPass(segments []model.Segment, at model.Marks, s model.Settings, now model.Instant, before30 bool) *twin {
	w := &twin{segments: slices.Clone(segments), at: at}
	if s.Policy != model.PolicyDelete && s.Policy != model.PolicyCompactDelete {
		w.startRule()
		return w
	}
	if before30 {
		w.timeRule(s.RetentionMs, now)
		w.sizeRule(s.RetentionBytes)
		w.startRule()
		return w
	}
	w.startRule()
	w.sizeRule(s.RetentionBytes)
	w.timeRule(s.RetentionMs, now)
	return w
}

func (w *twin) startRule() {
	w.walk(func(_ model.Segment, next *model.Segment) bool {
		return next != nil && next.Base <= w.at.Start
	})
}

func (w *twin) sizeRule(limit model.Bytes) {
	var budget model.Bytes
	for _, s := range w.segments {
		budget += s.Size
	}
	budget -= limit
	if limit < 0 || budget < 0 {
		return
	}
	w.walk(func(s model.Segment, _ *model.Segment) bool {
		if budget-s.Size < 0 {
			return false
		}
		budget -= s.Size
		return true
	})
}

func (w *twin) timeRule(limit model.Millis, now model.Instant) {
	if limit < 0 {
		return
	}
	w.walk(func(s model.Segment, _ *model.Segment) bool {
		stamp := s.ModTime
		if s.Stamped {
			stamp = s.Largest
		}
		return int64(now)-int64(stamp) > int64(limit)
	})
}

// walk deletes the longest prefix whose every segment may go, rolling first if that is all.
func (w *twin) walk(predicate func(s model.Segment, next *model.Segment) bool) {
	count := 0
	for i, s := range w.segments {
		var next *model.Segment
		upper := w.at.End
		if i+1 < len(w.segments) {
			next = &w.segments[i+1]
			upper = next.Base
		}
		if w.at.HighWatermark < upper || !predicate(s, next) || next == nil && s.Size == 0 {
			break
		}
		count++
	}
	if count == 0 {
		return
	}
	if count == len(w.segments) {
		w.segments = append(w.segments, model.Segment{Base: w.at.End})
	}
	w.segments = w.segments[count:]
	w.deleted += count
	w.at.Start = max(w.at.Start, w.segments[0].Base)
}

// situation is one random input of a pass. Its numbers are small, so that exact hits on every
// limit are frequent.
type situation struct {
	segments []model.Segment
	at       model.Marks
	settings model.Settings
	now      model.Instant
}

func randomSituation(r *rand.Rand) situation {
	n := 1 + r.IntN(7)
	base := model.Offset(r.IntN(5))
	segments := make([]model.Segment, n)
	for i := range segments {
		segments[i] = model.Segment{
			Base:    base,
			Size:    model.Bytes(r.IntN(4)),
			Largest: model.Instant(10 + r.IntN(8)),
			ModTime: model.Instant(10 + r.IntN(8)),
			Stamped: r.IntN(5) > 0,
		}
		base += model.Offset(1 + r.IntN(3))
	}
	last := &segments[n-1]
	end := base
	if last.Size == 0 {
		end = last.Base
	}
	start := segments[0].Base + model.Offset(r.IntN(int(end-segments[0].Base)+1))
	policies := []model.Policy{model.PolicyDelete, model.PolicyDelete, model.PolicyDelete, model.PolicyCompactDelete, model.PolicyCompact, model.PolicyNone}
	return situation{
		segments: segments,
		at:       model.Marks{Start: start, HighWatermark: start + model.Offset(r.IntN(int(end-start)+1)), End: end},
		settings: with(policy(policies[r.IntN(len(policies))]), ms(model.Millis(r.IntN(8)-1)), bytes(model.Bytes(r.IntN(12)-1))),
		now:      model.Instant(12 + r.IntN(12)),
	}
}

func (c situation) decide(release model.Release) model.Verdict {
	return model.Decide(c.segments, c.at, c.settings, c.now, release)
}

func (c situation) String() string {
	return fmt.Sprintf("segments %+v, %+v, policy %s, retention.ms %d, retention.bytes %d, now %d",
		c.segments, c.at, c.settings.Policy, c.settings.RetentionMs, c.settings.RetentionBytes, c.now)
}

// after is the situation once the verdict is carried out.
func (c situation) after(v model.Verdict) situation {
	if v.Roll {
		c.segments = append(slices.Clone(c.segments), model.Segment{Base: c.at.End, ModTime: c.now})
	}
	c.segments = c.segments[v.Deleted:]
	c.at.Start = v.Start
	return c
}

const situations = 30_000

func random() *rand.Rand { return rand.New(rand.NewPCG(7, 42)) }

func TestPassEqualsItsTwin(t *testing.T) {
	r := random()
	deleting := 0
	for range situations {
		c := randomSituation(r)
		for _, release := range []model.Release{newest, kafka2} {
			want := twinPass(c.segments, c.at, c.settings, c.now, release == kafka2)
			got := c.decide(release)
			if got.Deleted != want.deleted || got.Start != want.at.Start || got.Roll != (want.deleted == len(c.segments)) {
				t.Fatalf("%s, release %s: %+v, twin deleted %d, start %d", c, release, got, want.deleted, want.at.Start)
			}
			deleting += min(got.Deleted, 1)
		}
	}
	if deleting < situations/5 {
		t.Errorf("only %d passes deleted anything", deleting)
	}
}

func TestASecondPassDeletesNothing(t *testing.T) {
	r := random()
	for range situations {
		c := randomSituation(r)
		first := c.decide(newest)
		if again := c.after(first).decide(newest); again.Deleted != 0 || again.Start != first.Start {
			t.Fatalf("%s: %+v, then %+v", c, first, again)
		}
	}
}

// Before 3.0 a pass is not idempotent; that is why the order was changed.
func TestASecondPassMayDeleteMoreBefore30(t *testing.T) {
	r := random()
	for range situations {
		c := randomSituation(r)
		if c.after(c.decide(kafka2)).decide(kafka2).Deleted > 0 {
			return
		}
	}
	t.Error("every pass was idempotent")
}

func TestShorterRetentionNeverKeepsMore(t *testing.T) {
	r := random()
	for range situations {
		c := randomSituation(r)
		shorter := c
		if r.IntN(2) == 0 {
			shorter.settings.RetentionMs = lessThan(r, c.settings.RetentionMs)
		} else {
			shorter.settings.RetentionBytes = lessThan(r, c.settings.RetentionBytes)
		}
		for _, release := range []model.Release{newest, kafka2} {
			long, short := c.decide(release), shorter.decide(release)
			if short.Deleted < long.Deleted || short.Start < long.Start {
				t.Fatalf("%s, release %s: %+v, but %+v under %d ms, %d bytes", c, release, long, short, shorter.settings.RetentionMs, shorter.settings.RetentionBytes)
			}
		}
	}
}

// lessThan is a limit at most as large as the given one, where negative is no limit at all.
func lessThan[T ~int64](r *rand.Rand, limit T) T {
	if limit < 0 {
		limit = 20
	}
	return T(r.Int64N(int64(limit) + 1))
}

func TestStartNeverFallsNorPassesTheHighWatermark(t *testing.T) {
	r := random()
	for range situations {
		c := randomSituation(r)
		if got := c.decide(newest).Start; got < c.at.Start || got > c.at.HighWatermark {
			t.Fatalf("%s: start %d", c, got)
		}
	}
}
