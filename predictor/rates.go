package predictor

import "kafka-retention-exporter/model"

// usualRate is what comes a millisecond as things go.
func usualRate(g *model.Growth, window model.Millis) (perMs float64, ok bool) {
	if rate, ok := g.Surge(); ok {
		return rate, true
	}
	return g.Rate(window)
}

// idle tells that nothing arrives any more. At the first look only the stamps can tell.
func (p *partition) idle(now model.Instant) bool {
	if newest, ok := p.newest(now); ok && p.ends.Span() == 0 {
		return now.Sub(newest) > 3*p.poll
	}
	return p.ends.Idle(now, 3*p.poll)
}

// horizon is the window of "what comes usually": a quarter of the retention in force, and no
// less than eight polls.
func (p *partition) horizon() model.Millis {
	set, _ := p.settings.Get()
	age, ok := set.TimeLimit()
	if !ok || age > 1<<40 {
		age = p.ends.Span()
	}
	return max(8*p.poll, age/4)
}

// earlierRate is the mean rate (bytes a millisecond) at which the log that is there was written,
// by its records' own stamps: the only clock of what came before the watch.
func (p *partition) earlierRate(now model.Instant) model.Maybe[float64] {
	size, ok := p.bytes.Size()
	first, known := p.times.FirstPoint()
	if !ok || !known || size.Bytes <= 0 || first.Stamp >= now {
		return model.Maybe[float64]{}
	}
	return model.Known(float64(size.Bytes) / float64(now.Sub(first.Stamp)))
}

// earlierOffsets is that rate in offsets.
func (s *schedule) earlierOffsets() model.Maybe[float64] {
	start, ok := s.start.Get()
	first, known := s.times.FirstPoint()
	if !ok || !known || start >= s.last || first.Stamp >= s.now {
		return model.Maybe[float64]{}
	}
	return model.Known(float64(s.last-start) / float64(s.now.Sub(first.Stamp)))
}

// left is about how long it was at an instant until an offset may go: by its stamp, and by the bytes behind it.
func (p *partition) left(o model.Offset, at model.Instant) model.Millis {
	set, _ := p.settings.Get()
	d := model.Millis(1 << 40)
	if age, timed := set.TimeLimit(); timed {
		newest, _ := p.times.Newest(o)
		if stamp, ok := newest.Get(); ok {
			d = min(d, stamp.Add(age).Sub(at))
		}
	}
	total, sized := p.bytes.Total()
	from, known := p.bytes.At(o)
	if limit, limited := set.SizeLimit(); limited && sized && known {
		if takes, ok := p.volume.TimeFor(int64(limit-(total-from)), p.earlierRate(at)); ok {
			d = min(d, takes)
		}
	}
	return d
}
