package predictor

import "kafka-retention-exporter/model"

// season is how often traffic is taken to repeat itself, once it was watched for so long.
const season = 86_400_000

// seasonSteps is how many looks a season is followed in.
const seasonSteps = 64

// beyond is a group's way past today's log end: what will have arrived is what arrived a season
// ago, and a record lives as long as one that arrives now would.
type beyond struct {
	ends     *model.Growth
	now      model.Instant
	end, at  float64 // of the log, and of the group
	perMs    float64
	life     model.Millis
	unread   float64 // as many unread records as make it lose some, by the size rule
	seasonal float64 // arrivals in a season
	share    float64 // of them that is taken to come this time
}

// crossingBeyond is when the log start overtakes a line past today's log end, Forever where the
// group catches up, or keeps its distance within what can be told: a pace within its own error of
// what keeps up says nothing of a loss. One that was in sight stays so until the pace keeps up.
func (j *judge) crossingBeyond(l line) model.Instant {
	fresh, ok := j.plan.due(j.end)
	if !ok || fresh.at == model.Forever {
		return model.Forever
	}
	if !j.pair.inSight {
		faster := l
		faster.perMs += 2 * l.stdErr
		if j.overtaken(faster, fresh) == model.Forever {
			return model.Forever
		}
	}
	return j.overtaken(l, fresh)
}

// overtaken is when a line is, fresh being when a record that arrives now goes.
func (j *judge) overtaken(l line, fresh due) model.Instant {
	life := j.stretched(fresh.at, fresh.rule).Sub(j.now)
	if _, surges := j.part.ends.Surge(); !surges && life > 0 && j.part.ends.Span() >= season {
		return j.seasonalCrossing(l, life, fresh.rule)
	}
	arrival, ok := usualRate(&j.part.ends, j.part.retention(j.now))
	arrival /= j.times
	if !ok || arrival <= l.perMs {
		return model.Forever
	}
	lag := (float64(j.end) - l.mean(j.now)) / arrival
	return j.after(max(0, (float64(life)-lag)/(1-l.perMs/arrival)))
}

func (j *judge) after(d float64) model.Instant {
	if d > 1e17 {
		return model.Forever
	}
	return j.now.Add(model.Millis(d))
}

func (j *judge) seasonalCrossing(l line, life model.Millis, rule model.Maybe[Rule]) model.Instant {
	b := beyond{ends: &j.part.ends, now: j.now, end: float64(j.end), at: min(l.mean(j.now), float64(j.end)), perMs: l.perMs, life: life, share: 1 / j.times}
	b.seasonal = b.end - b.ends.At(j.now.Add(-season))
	limit, sized := j.settings.SizeLimit()
	if r, _ := rule.Get(); r == BySize && sized && j.part.bytes.PerOffset() > 0 {
		b.unread = float64(limit) / j.part.bytes.PerOffset()
	}
	d, ok := b.follow()
	if !ok {
		return model.Forever
	}
	return j.after(d)
}

// follow goes on for two seasons, and then, if the group falls back further with each, as many more
// as that takes.
func (b *beyond) follow() (d float64, ok bool) {
	const step = season / seasonSteps
	var behind [2]float64
	before := b.room(0)
	for i := 1; i <= 2*seasonSteps; i++ {
		t := model.Millis(i * step)
		b.at = min(b.at+b.perMs*step, b.logEnd(t))
		room := b.room(t)
		if room < 0 {
			return float64(t) - step*min(1, -room/max(1, before-room)), true
		}
		before = room
		if i%seasonSteps == 0 {
			behind[i/seasonSteps-1] = b.logEnd(t) - b.at
		}
	}
	back := behind[1] - behind[0]
	if back <= 0 {
		return 0, false
	}
	most := b.unread
	if most == 0 {
		most = b.seasonal * float64(b.life) / season
	}
	return 2*season + max(0, most-behind[1])/back*season, true
}

// logEnd is where the log is expected to end some time from now.
func (b *beyond) logEnd(t model.Millis) float64 {
	if t <= 0 {
		return b.ends.At(b.now.Add(t))
	}
	whole := t / season
	rest := b.now.Add(t%season - season)
	return b.end + b.share*(float64(whole)*b.seasonal+b.ends.At(rest)-(b.end-b.seasonal))
}

// room is how many records the group is ahead of the log start then. Within today's log it is
// ahead of it: that was looked at already, and the log may be older than the watch, and larger than the
// limit by what is still to be deleted.
func (b *beyond) room(t model.Millis) float64 {
	switch {
	case b.at < b.end:
		return b.seasonal
	case b.unread > 0:
		return b.unread - (b.logEnd(t) - b.at)
	}
	return b.at - b.logEnd(t-b.life)
}
