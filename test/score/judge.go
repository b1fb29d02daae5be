package score

import "time"

// judge scores one pair; its durations are those of the run.
type judge struct {
	run             Run
	fate            Fate
	horizon, notice time.Duration
}

// verdict is what a firing was worth.
type verdict int

const (
	right verdict = iota + 1
	early
	wrong
	open
	after
)

func (j judge) pair(f *Figures, fired []Span) {
	begun := 0
	for _, s := range fired {
		switch j.firing(s) {
		case right:
			f.Right++
		case early:
			f.Early++
		case wrong:
			f.False++
		case open:
			f.Open++
		case after:
			f.After++
			continue
		}
		begun++
	}
	loss, ok := j.episode()
	if !ok {
		return
	}
	f.Episodes++
	f.Flaps += max(0, begun-1)
	if lead, ok := j.lead(loss, fired); ok {
		f.Recalled++
		f.Leads = append(f.Leads, j.run.unscaled(lead))
	}
}

// episode is when the pair first lost records; ok is false if it did not, or after something that
// nobody could foresee.
func (j judge) episode() (loss time.Time, ok bool) {
	loss, ok = j.loss()
	return loss, ok && !j.surprised(loss)
}

func (j judge) loss() (loss time.Time, ok bool) {
	if len(j.fate.Losses) == 0 {
		return time.Time{}, false
	}
	return j.fate.Losses[0], true
}

// surprised tells whether something unforeseeable had happened by an instant.
func (j judge) surprised(by time.Time) bool {
	return len(j.fate.Surprises) > 0 && !j.fate.Surprises[0].After(by)
}

func (j judge) firing(s Span) verdict {
	due := s.From.Add(2 * j.horizon)
	loss, lost := j.loss()
	switch {
	case lost && !s.From.Before(loss):
		return after
	case lost && !loss.After(due) && !j.surprised(loss):
		return right
	case j.surprised(due), !lost && j.run.To.Before(due):
		return open
	case lost:
		return early
	}
	return wrong
}

// lead is the time from the begin of the earliest firing that was on at some time between two horizons
// and the notice before the loss.
func (j judge) lead(loss time.Time, fired []Span) (lead time.Duration, ok bool) {
	for _, s := range fired {
		if s.To.After(loss.Add(-2*j.horizon)) && !s.From.After(loss.Add(-j.notice)) {
			return loss.Sub(s.From), true
		}
	}
	return 0, false
}
