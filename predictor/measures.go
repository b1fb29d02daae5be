package predictor

import "kafka-retention-exporter/model"

// measures fills in what needs no forecast: lag, age and the share of retention used.
func (j *judge) measures(f *Forecast) {
	f.Lag = model.Known(max(0, j.end-j.from()))
	f.FailoverExposed = j.exposed()
	f.Inputs.SegmentBase, f.Inputs.SegmentEnd = j.part.chain.around(j.from())
	if !j.unread() {
		f.Used = model.Known(0.0)
	} else {
		f.NextStamp = j.nextStamp()
		f.Inputs.BytesUnread = j.bytesUnread()
		f.Used = j.used(f.NextStamp, f.Inputs.BytesUnread)
	}
	if used, ok := f.Used.Get(); ok {
		if _, lost := j.lost(); lost {
			f.Used = model.Known(max(1, used))
		}
	}
}

// stampTolerance is how far the stamp of the next record may be rounded down.
func stampTolerance(s model.Settings) model.Millis {
	age, ok := s.TimeLimit()
	if !ok {
		return 1000
	}
	return max(1000, min(age, 1<<50)/1000)
}

// nextStamp is the newest stamp from the log start up to the next unread record, once it is
// known well enough. With stamps in order that is the record's own.
func (j *judge) nextStamp() model.Maybe[model.Instant] {
	if first, ok := j.part.cleaned(j.from()); ok {
		return model.Known(first.Stamp)
	}
	at, below := j.part.times.Newest(j.from())
	lo, ok := at.Get()
	hi, bounded := below.Get()
	if !bounded {
		hi = j.now
	}
	set, _ := j.part.settings.Get()
	if !ok || hi.Sub(lo) > stampTolerance(set)+1 {
		return model.Maybe[model.Instant]{}
	}
	return at
}

func (j *judge) bytesUnread() model.Maybe[model.Bytes] {
	total, t := j.part.bytes.Total()
	upTo, u := j.part.bytes.At(j.from())
	if !t || !u {
		return model.Maybe[model.Bytes]{}
	}
	return model.Known(max(0, total-upTo))
}

// used is the larger share of the two limits. One that is set but whose input is unknown makes
// the whole unknown: the other might look healthy.
func (j *judge) used(stamp model.Maybe[model.Instant], bytes model.Maybe[model.Bytes]) model.Maybe[float64] {
	set, ok := j.part.settings.Get()
	if !ok {
		return model.Maybe[float64]{}
	}
	ratio := 0.0
	if limit, on := set.TimeLimit(); on {
		at, known := stamp.Get()
		if !known {
			return model.Maybe[float64]{}
		}
		ratio = max(ratio, share(float64(j.now.Sub(at)), float64(limit)))
	}
	if limit, on := set.SizeLimit(); on {
		n, known := bytes.Get()
		if !known || set.Tiered {
			return model.Maybe[float64]{}
		}
		ratio = max(ratio, share(float64(n), float64(limit)))
	}
	return model.Known(ratio)
}

// share is part of a limit, 1 for anything of a limit of nothing.
func share(part, limit float64) float64 {
	if limit <= 0 {
		return 1
	}
	return max(0, part/limit)
}
