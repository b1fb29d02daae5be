package exporter

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// freshness judges at the instant of serving what may still be shown: each value by its own
// readings, so that a loop that hangs cannot keep a forecast alive, and one dead leader
// withdraws only what it alone can tell.
type freshness struct {
	now   model.Instant
	keep  model.Millis
	sizes model.Millis // Config.SizesEvery
}

func (f freshness) expiry(at model.Instant) model.Instant { return at.Add(f.keep) }

func (f freshness) since(at model.Instant) bool { return !f.expiry(at).Before(f.now) }

func (f freshness) published(r model.Read[struct{}]) (model.Instant, bool) {
	at, ok := r.At()
	return at, ok && f.since(at)
}

// offset returns an offset that was read lately enough.
func (f freshness) offset(r model.Read[model.Offset]) (model.Offset, bool) {
	return r.FreshSince(f.now.Add(-f.keep))
}

// logStart returns a log start that stands for a time late enough: a reading that rests because it
// is not due is not stale (metrics.md "Stale").
func (f freshness) logStart(p model.Partition) (model.Offset, bool) {
	start, read := p.LogStart.Get()
	at, ok := p.LogStartAsOf()
	return start, read && ok && f.since(at)
}

// size returns a size that was read lately or whose re-reading is not due yet, provided that its
// broker answers and has not just failed to tell its sizes.
func (f freshness) size(r model.Read[model.SizeRead], told model.Read[struct{}], failed bool) (model.SizeRead, bool) {
	s, ok := r.Get()
	at, _ := r.At()
	heard, known := told.At()
	waiting := known && f.since(heard) && !failed && f.since(at.Add(f.sizes))
	return s, ok && (f.since(at) || waiting)
}

// settings returns settings that were read lately or whose re-reading is simply not due yet.
// They are read less often than offsets, so their age alone does not make them stale; that a
// later attempt was refused or failed (unreadable), or that the broker which told them has been
// silent since, does.
func (f freshness) settings(r model.Read[model.Settings], unreadable bool, told model.Read[struct{}]) (model.Settings, bool) {
	s, ok := r.Get()
	at, _ := r.At()
	if heard, known := told.At(); known && !unreadable {
		at = max(at, heard)
	}
	return s, ok && f.since(at)
}

// forecast withdraws from a forecast what its readings are too old for. Losses are facts: they
// stay, with their instants and their count, for as long as the pair is known.
func (f freshness) forecast(fc predictor.Forecast, reported model.Instant) predictor.Forecast {
	if at, ok := fc.PositionAt.Get(); ok && !f.since(at) {
		fc.Position = model.Maybe[model.Offset]{}
	}
	inputs, ok := fc.InputsAt.Get()
	if !ok {
		inputs = reported
	}
	if f.since(inputs) {
		return fc
	}
	fc.Lag, fc.NextStamp, fc.Used = model.Maybe[model.Offset]{}, model.Maybe[model.Instant]{}, model.Maybe[float64]{}
	fc.FailoverExposed = model.Maybe[model.Offset]{}
	if isLost(fc) {
		return fc
	}
	unknown := model.Maybe[model.Instant]{}
	fc.State = model.Maybe[predictor.State]{}
	fc.Loss, fc.Earliest, fc.Latest, fc.Stopped, fc.Floor = unknown, unknown, unknown, unknown, unknown
	fc.Rule, fc.Closest = model.Maybe[predictor.Rule]{}, model.Maybe[model.Millis]{}
	if !staysWithoutNews(fc.Reason) {
		fc.Reason = model.Known(predictor.Stale)
	}
	return fc
}

// staysWithoutNews tells whether a reason is one that no fresh reading is needed for: a pair
// without a position does not become more unknown with time.
func staysWithoutNews(r model.Maybe[predictor.Reason]) bool {
	reason, ok := r.Get()
	return ok && (reason == predictor.NoCommit || reason == predictor.ExpiredPosition)
}

func isLost(fc predictor.Forecast) bool {
	state, ok := fc.State.Get()
	return ok && state == predictor.Lost
}
