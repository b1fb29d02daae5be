package advice

import (
	"cmp"
	"math"
	"slices"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Volume is the file system under one log dir, and what will become of it.
type Volume struct {
	Broker      model.BrokerID
	Dir         string
	Total, Free model.Maybe[model.Bytes]
	// Growth is how much more the logs it hosts need until each has reached its own limit;
	// unknown where a rate or a setting is, or where nothing limits one that grows.
	Growth model.Maybe[model.Bytes]
	// Full is when it would be full before retention frees it, model.Forever if never.
	Full model.Maybe[model.Instant]
	// Read is when its space was told.
	Read model.Instant
}

// Volumes are all that brokers told of, by broker and dir. Logs of topics that are not watched
// count as they are, without growth.
func Volumes(s *model.Snapshot, report *predictor.Report, now model.Instant) []Volume {
	if s == nil || report == nil {
		return nil
	}
	var out []Volume
	for _, b := range s.Brokers {
		for dir, v := range b.Dirs {
			out = append(out, volumeOf(s, report, b, dir, v, now))
		}
	}
	slices.SortFunc(out, func(a, b Volume) int {
		return cmp.Or(cmp.Compare(a.Broker, b.Broker), cmp.Compare(a.Dir, b.Dir))
	})
	return out
}

func volumeOf(s *model.Snapshot, report *predictor.Report, b model.Broker, dir string, v model.Volume, now model.Instant) Volume {
	out := Volume{Broker: b.ID, Dir: dir}
	if n, ok := v.Total.Get(); ok {
		out.Total = model.Known(n)
	}
	free, ok := v.Usable.Get()
	if !ok {
		return out
	}
	out.Free = model.Known(free)
	out.Read, _ = v.Usable.At()
	logs, ok := growing(s, report, b, v)
	if !ok {
		return out
	}
	growth := 0.0
	for _, g := range logs {
		growth += g.room
	}
	if growth < math.MaxInt64/2 {
		out.Growth = model.Known(model.Bytes(growth))
	}
	out.Full = model.Known(fullAt(float64(free), logs, now))
	return out
}

// grower is a log on its way to its limit: the room left there, +Inf without one, and the bytes a
// second that arrive.
type grower struct{ room, rate float64 }

// growing are the logs on a volume that have not reached their limit. Each replica follows its own
// broker's settings. ok is false where it is not known what the volume hosts, or how one grows, as
// where other exporters watch some of them.
func growing(s *model.Snapshot, report *predictor.Report, b model.Broker, v model.Volume) (out []grower, ok bool) {
	if v.Replicas == nil || !s.Portion.Whole() {
		return nil, false
	}
	for key, size := range v.Replicas {
		p, watched := s.Partitions[key]
		if !watched {
			continue
		}
		rate, known := report.Partitions[key].ByteRate.Get()
		if !known {
			return nil, false
		}
		if rate <= 0 {
			continue
		}
		set, known := s.Topics[key.Topic].Settings[b.ID].Get()
		if !known {
			set, known = s.Topics[key.Topic].Settings[p.Leader].Get()
		}
		if !known {
			return nil, false
		}
		room := math.Inf(1)
		if steady, bounded := SteadyState(set, rate, checkOf(b, set)); bounded {
			room = max(0, float64(steady.OnDisk-size))
		}
		out = append(out, grower{room, rate})
	}
	return out, true
}

// fullAt is when the logs together have taken what is free: each grows at its rate until it has
// reached its limit. It is Forever if all do before.
func fullAt(free float64, logs []grower, now model.Instant) model.Instant {
	rate := 0.0
	for _, g := range logs {
		rate += g.rate
	}
	slices.SortFunc(logs, func(a, b grower) int { return cmp.Compare(a.room/a.rate, b.room/b.rate) })
	passed := 0.0 // seconds from now
	for _, g := range logs {
		until := g.room / g.rate
		if taken := rate * (until - passed); taken > free {
			return after(now, passed+free/rate)
		} else if !math.IsInf(taken, 0) {
			free -= taken
		}
		passed, rate = until, rate-g.rate
	}
	return model.Forever
}

func after(now model.Instant, seconds float64) model.Instant {
	if seconds > 1e14 {
		return model.Forever
	}
	return now.Add(model.Millis(seconds * 1000))
}
