package division

import (
	"slices"
	"testing"
	"time"

	"kafka-retention-exporter/test/endtoend"
	"kafka-retention-exporter/test/scenario"
)

// crew is several programs on one cluster, and what they showed together.
type crew struct {
	t       *testing.T
	wanted  []string // series that one of them is to show
	members []*endtoend.Program
	seen    map[string]time.Time // when each was shown last
	gap     time.Duration        // the longest that one was missing, once all had been shown
	whole   bool                 // all had been shown
}

// sweep is one look at all pages.
type sweep struct {
	exact     bool // every wanted series is on exactly one page
	shows     []int
	forecasts []scenario.Forecast
	missing   []string
	twice     []string
}

// look reads every page.
func (c *crew) look() sweep {
	pages := make([]endtoend.Page, len(c.members))
	s := sweep{shows: make([]int, len(c.members))}
	for i, m := range c.members {
		pages[i] = m.Scrape()
		if own := pages[i].Mentioning(group); len(own) > 0 {
			c.t.Errorf("the group of the exporters is shown: %v", own)
		}
		s.forecasts = append(s.forecasts, m.Forecasts()...)
	}
	now := time.Now()
	for _, series := range c.wanted {
		n := 0
		for i, page := range pages {
			if page.Has(series) {
				s.shows[i]++
				n++
			}
		}
		c.note(series, n > 0, now)
		if n == 0 {
			s.missing = append(s.missing, series)
		} else if n > 1 {
			s.twice = append(s.twice, series)
		}
	}
	s.exact = len(s.missing)+len(s.twice) == 0
	c.whole = c.whole || s.exact
	return s
}

func (c *crew) note(series string, shown bool, now time.Time) {
	if last, ok := c.seen[series]; ok && c.whole {
		c.gap = max(c.gap, now.Sub(last))
	}
	if shown {
		c.seen[series] = now
	}
}

// owner is the member that shows a series.
func (c *crew) owner(series string) int {
	return slices.IndexFunc(c.members, func(m *endtoend.Program) bool { return m.Scrape().Has(series) })
}

// kill ends a member without warning and leaves it out from then on.
func (c *crew) kill(i int) {
	c.members[i].Kill()
	c.members = slices.Delete(c.members, i, i+1)
}
