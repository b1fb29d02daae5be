package score

import (
	"math"

	"kafka-retention-exporter/predictor/backtest/track"
)

// Floor is how a player's promises held.
type Floor struct {
	Present  Figure // share of polls with a promise, from the second one on
	Labelled int64  // promises whose outcome is known, of all episodes
	Late     int64  // of these, broken without a cause that the promise excepts
	Broken   int    // episodes with one; for the forecast only
	Worst    float64
	// Excused are broken with an event in between that the promise excepts.
	Excused [causes]int64
	Surged  int64 // broken because more came than the ceiling that the size rule's promise names
	// Limit is the 95 % upper limit of the share of broken promises, by episodes.
	Limit float64
	Tight Figure // median of the promised time by the real one
	Loose Figure // its 10 % quantile
	Warm  Figure // its median once the exporter has been up for the life of a segment
	Begun Figure // the same once it has seen two steps of the log start, or R pass
	// Breaks are some of the episodes with broken promises.
	Breaks []Break
}

// Causes lists the causes that Excused is indexed by.
func Causes() []track.Cause {
	return []track.Cause{
		track.ConfigChanged, track.RecordsDeleted, track.Recreated, track.Failover,
		track.ProducerStopped, track.Backfill, track.FutureStamp, track.Reset,
	}
}

// floors are counted over all episodes, not only those that were kept.
func floors(books []*book, s *sample, players []Player) []Floor {
	all := make([]Floor, len(players))
	for i, p := range players {
		if !p.Promises {
			continue
		}
		f := &all[i]
		var sum floorTally
		episodes := 0
		for _, b := range books {
			sum.add(&b.floors[i])
			episodes += b.seen
			if i == 0 {
				f.Broken += b.broken
				f.Breaks = append(f.Breaks, b.breaks...)
			}
		}
		f.Labelled, f.Late, f.Worst, f.Excused = sum.labelled, sum.late, sum.worst, sum.by
		f.Surged = sum.surged
		f.Limit = upper(f.Broken, episodes)
		f.Present = s.share(func(e *episode) part {
			return part{float64(e.floors[i].present), float64(e.floors[i].due)}
		})
		tightness := s.quantiles(func(e *episode) []float32 { return e.cell(tight, Anytime, i).a }, 0.1, 0.5)
		f.Loose, f.Tight = tightness[0], tightness[1]
		f.Warm = s.quantiles(func(e *episode) []float32 { return e.cell(tight, Warm, i).a }, 0.5)[0]
		f.Begun = s.quantiles(func(e *episode) []float32 { return e.cell(tight, Begun, i).a }, 0.5)[0]
	}
	return all
}

// upper is the 95 % upper limit of a share that was seen so often among n: the rule of three for
// none, Wilson's otherwise.
func upper(seen, n int) float64 {
	if n == 0 {
		return 1
	}
	if seen == 0 {
		return min(1, 3/float64(n))
	}
	const z = 1.645
	p, m := float64(seen)/float64(n), float64(n)
	return (p + z*z/(2*m) + z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))) / (1 + z*z/m)
}
