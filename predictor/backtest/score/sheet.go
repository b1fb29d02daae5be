package score

// Sheet is everything that is told of a set of episodes. Slices are indexed by player.
type Sheet struct {
	Episodes int
	Losses   int // of them, with a loss that a page was due for

	Deadline [whens][]Errors   // of the position if the group stopped: Near to Cold
	Loss     [Far + 1][]Errors // of the moving group
	Never    []Figure          // share of forecasts that give a loss within R to a group that is never lost
	Brier    [horizons][]Figure
	// Skill is what the forecast's Brier score is better by than another player's, as a share.
	Skill  [horizons][]Figure
	Bands  [Far + 1][]Band
	Floors []Floor
	Pages  []Pages
	States Figure // share of polls with a right word
	Lost   LostCount
	Cold   ColdStart
	// Cost is milliseconds a forecast takes.
	Cost Figure
}

// Errors of an instant: relative to the time that was left, and in check intervals.
type Errors struct {
	Present     Figure // share of forecasts that were there
	Median, P90 Figure
	Mean, P99   Figure // in check intervals; of deadlines only
}

// Band is how the 90 % band held.
type Band struct {
	Coverage  Figure
	Unlimited Figure // share without a latest edge
	Width     Figure // median, relative to the time that was left
}

// LostCount holds the counter of lost offsets against the truth.
type LostCount struct {
	Off   Figure // sum of what it is off by, relative to the sum of the truth
	Exact Figure // share of episodes in which it is exact
}

// ColdStart counts polls from the first one on.
type ColdStart struct {
	Sound    Figure // 90 % quantile of polls until the first floor that holds
	Estimate Figure // median of polls until the deadline is off by at most twice the mean error of later
	Failed   Figure // share of starts without either in the first polls
}

// fill works a sheet out.
func fill(books []*book, players []Player, seed int64) Sheet {
	var kept []*episode
	for _, b := range books {
		kept = append(kept, b.kept...)
	}
	s := newSample(kept, seed)
	sheet := Sheet{Floors: floors(books, s, players)}
	for _, b := range books {
		sheet.Episodes += b.seen
	}
	for w := range sheet.Deadline {
		sheet.Deadline[w] = make([]Errors, len(players))
	}
	for i := range sheet.Brier {
		sheet.Brier[i], sheet.Skill[i] = make([]Figure, len(players)), make([]Figure, len(players))
	}
	for w := range sheet.Loss {
		sheet.Loss[w], sheet.Bands[w] = make([]Errors, len(players)), make([]Band, len(players))
	}
	sheet.Never, sheet.Pages = make([]Figure, len(players)), make([]Pages, len(players))
	for i := range players {
		sheet.player(s, i, &players[i])
	}
	sheet.Losses = sheet.Pages[0].Losses
	sheet.rest(s)
	return sheet
}

func (sheet *Sheet) player(s *sample, i int, p *Player) {
	if p.Frozen {
		for w := range sheet.Deadline {
			sheet.Deadline[w][i] = s.errors(deadline, w, i)
		}
	}
	if p.Estimates {
		for w := range sheet.Loss {
			sheet.Loss[w][i] = s.errors(loss, w, i)
			sheet.Bands[w][i] = s.band(w, i)
		}
		sheet.Never[i] = s.share(func(e *episode) part { return e.never[i] })
		for h := range sheet.Brier {
			sheet.Brier[h][i] = s.ratio(func(e *episode) part { return mean(e.brier[h][i]) })
			sheet.Skill[h][i] = s.skill(h, i)
		}
	}
	sheet.Pages[i] = s.pages(i)
}

// rest is what only the forecast is asked for.
func (sheet *Sheet) rest(s *sample) {
	sheet.States = s.share(func(e *episode) part { return e.states })
	sheet.Lost.Off = s.ratio(func(e *episode) part { return part{e.lost.off, e.lost.truth} })
	sheet.Lost.Exact = s.share(func(e *episode) part { return part{count(e.lost.off == 0), 1} })
	sheet.Cost = s.ratio(func(e *episode) part { return e.spent })
	sheet.Cold = s.cold(2 * sheet.Deadline[Warm][0].Mean.Value)
}

// mean makes an episode weigh 1, however many forecasts it has.
func mean(p part) part {
	if p.den == 0 {
		return part{}
	}
	return part{p.num / p.den, 1}
}

func count(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// skill is 1 - ours / theirs.
func (s *sample) skill(h, player int) Figure {
	return s.ratio(func(e *episode) part {
		return part{mean(e.brier[h][0]).num, mean(e.brier[h][player]).num}
	}).complement()
}

func (s *sample) errors(w what, when, player int) Errors {
	of := func(e *episode) *cell { return e.cell(w, when, player) }
	relative := s.quantiles(func(e *episode) []float32 { return of(e).a }, 0.5, 0.9)
	checks := s.quantiles(func(e *episode) []float32 { return of(e).b }, 0.99)
	return Errors{
		Present: s.share(func(e *episode) part { c := of(e); return part{float64(c.present), float64(c.asked)} }),
		Median:  relative[0], P90: relative[1], P99: checks[0],
		Mean: s.ratio(func(e *episode) part { return total(of(e).b) }),
	}
}

func total(values []float32) part {
	var p part
	for _, v := range values {
		p.num += float64(v)
		p.den++
	}
	return p
}

func (s *sample) band(when, player int) Band {
	of := func(e *episode) *cell { return e.cell(band, when, player) }
	return Band{
		Coverage: s.share(func(e *episode) part { return total(of(e).a) }),
		Unlimited: s.share(func(e *episode) part {
			p := part{}
			for _, width := range of(e).b {
				p.den++
				p.num += count(width == unlimited)
			}
			return p
		}),
		Width: s.quantiles(func(e *episode) []float32 { return of(e).b }, 0.5)[0],
	}
}

// cold counts from how soon on deadlines are as good as later.
func (s *sample) cold(good float64) ColdStart {
	var c ColdStart
	c.Sound = s.quantiles(func(e *episode) []float32 { return polls(e.cold.judged, e.cold.sound) }, 0.9)[0]
	if good > 0 {
		c.Estimate = s.quantiles(func(e *episode) []float32 { return polls(e.cold.judged, e.cold.within(good)) }, 0.5)[0]
	}
	c.Failed = s.share(func(e *episode) part {
		return part{count(e.cold.judged && (e.cold.sound == 0 || good > 0 && e.cold.within(good) == 0)), count(e.cold.judged)}
	})
	return c
}

func polls(judged bool, n int) []float32 {
	switch {
	case !judged:
		return nil
	case n == 0:
		return []float32{coldPolls}
	}
	return []float32{float32(n)}
}
