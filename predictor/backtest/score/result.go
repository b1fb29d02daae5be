package score

import (
	"runtime"
	"slices"
	"sync"

	"kafka-retention-exporter/predictor/backtest/track"
)

// Result is the score of all tracks. Figures of a family are its own; pooled ones are of all
// episodes of a half.
type Result struct {
	Episodes    int
	Players     []Player
	Held, Tuned Half
	Events      []Event // of both halves, by cause
}

// Half is the families that constants were chosen on, or those that they were not.
type Half struct {
	Episodes int
	All      Sheet // all families and rules
	ByRule   [track.ByBoth + 1]Sheet
	Families []Family
}

// Family is one entry of the lists of scenarios.
type Family struct {
	Name   string
	Axis   track.Axis
	All    Sheet
	ByRule [track.ByBoth + 1]Sheet
}

// job is a sheet to be filled.
type job struct {
	into  *Sheet
	books []*book
}

// Result works out all tables. Tracks may be added afterwards.
func (s *Scorer) Result() Result {
	r := Result{Players: s.trial.players}
	var jobs []job
	for _, half := range []struct {
		tuned bool
		into  *Half
	}{{false, &r.Held}, {true, &r.Tuned}} {
		jobs = append(jobs, half.into.plan(s.ordered(half.tuned))...)
		r.Episodes += half.into.Episodes
	}
	s.work(jobs)
	r.Events = s.events()
	return r
}

// plan lays a half out and lists the sheets that are to be filled.
func (h *Half) plan(books []*book) []job {
	var jobs []job
	sheets := func(all *Sheet, byRule *[track.ByBoth + 1]Sheet, books []*book) {
		jobs = append(jobs, job{all, books})
		for rule := track.ByTime; rule <= track.ByBoth; rule++ {
			if some := ofRule(books, rule); len(some) > 0 {
				jobs = append(jobs, job{&byRule[rule], some})
			}
		}
	}
	of := families(books)
	h.Families = make([]Family, len(of)) // not to move again: jobs point into it
	for i, books := range of {
		h.Families[i].Name, h.Families[i].Axis = books[0].family, books[0].axis
		sheets(&h.Families[i].All, &h.Families[i].ByRule, books)
	}
	for _, b := range books {
		h.Episodes += b.seen
	}
	if len(books) > 0 {
		sheets(&h.All, &h.ByRule, books)
	}
	return jobs
}

// families groups books that are ordered.
func families(books []*book) [][]*book {
	var all [][]*book
	for i, b := range books {
		if i == 0 || b.family != books[i-1].family || b.axis != books[i-1].axis {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], b)
	}
	return all
}

func ofRule(books []*book, rule track.Rule) []*book {
	var some []*book
	for _, b := range books {
		if b.rule == rule {
			some = append(some, b)
		}
	}
	return some
}

// work fills sheets on all cores. Each has its own random numbers, so that the order is no matter.
func (s *Scorer) work(jobs []job) {
	queue := make(chan job)
	var done sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		done.Go(func() {
			for j := range queue {
				*j.into = fill(j.books, s.trial.players, s.seed)
			}
		})
	}
	for _, j := range slices.Backward(jobs) { // the pooled ones, which take longest, first
		queue <- j
	}
	close(queue)
	done.Wait()
}
