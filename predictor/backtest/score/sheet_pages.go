package score

// Pages is how a player pages. Times are shares of R.
type Pages struct {
	Losses         int    // that a page was due for
	Recall         Figure // share of them that were paged for in time
	Precision      Figure // share of pages that a loss followed within two horizons
	Lead10, Lead50 Figure
	Lead90         Figure
	Premature      Figure // share of losses whose first page came more than two horizons before
	Flaps          Figure // pages too many, by episodes with a fault
	FalseAlarms    Figure // by 1000 retentions of a healthy pair
	NearMisses     Figure // the same by 1000 of a pair without a fault, with those of one that was about to lose
	OnTime         Figure // pages by nightly batch that is on time
	SlackLeft      Figure // 10 % quantile of the slack left when a skipped run was announced
}

func (s *sample) pages(player int) Pages {
	of := func(e *episode) *pageTally {
		if e.pages == nil {
			return &pageTally{}
		}
		return &e.pages[player]
	}
	var p Pages
	for _, e := range s.episodes {
		p.Losses += int(count(of(e).loss))
	}
	p.Recall = s.share(func(e *episode) part { return part{count(of(e).recalled), count(of(e).loss)} })
	p.Precision = s.share(func(e *episode) part {
		return part{float64(of(e).right), float64(of(e).right + of(e).wrong)}
	})
	leads := s.quantiles(func(e *episode) []float32 {
		if !of(e).recalled {
			return nil
		}
		return []float32{of(e).lead}
	}, 0.1, 0.5, 0.9)
	p.Lead10, p.Lead50, p.Lead90 = leads[0], leads[1], leads[2]
	p.Premature = s.share(func(e *episode) part { return part{count(of(e).premature), count(of(e).loss)} })
	p.Flaps = s.ratio(func(e *episode) part { return part{float64(of(e).flaps), count(of(e).fault)} })
	p.FalseAlarms = s.ratio(func(e *episode) part {
		return part{1000 * float64(of(e).falseAlarms), of(e).healthy}
	})
	p.NearMisses = s.ratio(func(e *episode) part {
		return part{1000 * float64(of(e).soundWrong), of(e).sound}
	})
	p.OnTime = s.ratio(func(e *episode) part { return part{float64(of(e).onTimePages), count(of(e).onTime)} })
	p.SlackLeft = s.quantiles(func(e *episode) []float32 {
		if !of(e).skipped {
			return nil
		}
		return []float32{of(e).slackLeft}
	}, 0.1)[0]
	return p
}
