package predictor

import "kafka-retention-exporter/model"

// vigil is since when the log start of a partition has been watched without a pause, under the same
// retention.ms. It proves fences without a step of the log start: a pass deletes the oldest segment once
// its newest record has expired (UnifiedLog.deleteOldSegments). Where all records that were there when the
// settings were first read have expired, and the passes since have left the log start where it was, its
// segment reaches beyond them: it did not end before, by whatever settings, and ends by those that are told.
type vigil struct {
	since model.Instant
	last  model.Instant
	age   model.Millis
	from  model.Offset // the end of the log when the settings were first read
	kept  bool
}

// passesMissed is how many passes in a row may fail to come in time, as while a broker is busy.
const passesMissed = 3

// keepVigil takes in that the log start was read.
func (p *partition) keepVigil() {
	at, _ := p.start.At()
	end, known := p.end.Get()
	set, told := p.settings.Get()
	age, timed := set.TimeLimit()
	if !known || !told || !timed || p.foreign {
		p.vigil = vigil{}
		return
	}
	v := &p.vigil
	if pause := 2*p.check + 2*p.poll; !v.kept || v.age != age || at.Sub(v.last) > pause {
		v.since, v.age = at, age
	}
	if !v.kept {
		v.from, v.kept = end, true
	}
	v.last = at
}

// outlives takes the fences for proven once the oldest segment has outlived all that was there before the
// settings were told. Where a step was beside them, something else ends segments than the settings; and
// that a base but the first of a log is one, at least one step must have shown.
func (p *partition) outlives() {
	v := p.vigil
	base, exact := p.chain.exactBase()
	start, _ := p.start.Get()
	if p.proof.holds || !v.kept || !exact || base != start || p.check <= 0 || p.proof.odds > 1 {
		return
	}
	if base > 0 && (p.suspect != nil || p.proof.odds == 0 || p.proof.odds == 1) {
		return
	}
	newest, known := p.times.Below(max(v.from, p.rules.since()))
	if patience := passesMissed*p.check + p.poll; known && max(v.since, expiry(newest, v.age)).Add(patience) < v.last {
		p.proof.holds = true
	}
}
