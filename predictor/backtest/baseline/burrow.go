package baseline

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// burrowWindow is how many commits Burrow judges by.
const burrowWindow = 10

// commit is one as the polls show it: a position that is new.
type commit struct {
	at       model.Instant
	position model.Offset
	lag      model.Offset
}

// burrow judges the last commits as Burrow does, and pages on every word but OK. A group that
// commits one position again and again cannot be told from one that does not commit: here it is
// stopped, there stalled.
func burrow(Terms) Judge {
	var commits []commit
	return func(s track.Seen) Answer {
		if n := len(commits); n == 0 || commits[n-1].position != s.Committed {
			commits = append(commits, commit{s.At, s.Committed, max(s.End-s.Committed, 0)})
		}
		if len(commits) > burrowWindow {
			commits = commits[:copy(commits, commits[1:])]
		}
		return Answer{Page: s.End > s.Committed && (stopped(commits, s.At) || behind(commits))}
	}
}

// stopped tells that nothing came for longer than the commits span. One of them without lag
// makes it good, and one alone tells nothing.
func stopped(commits []commit, now model.Instant) bool {
	first, last := commits[0], commits[len(commits)-1]
	return len(commits) > 1 && !everWithoutLag(commits) && now.Sub(last.at) > last.at.Sub(first.at)
}

// behind tells that a full window of commits never had less lag than the one before.
func behind(commits []commit) bool {
	if len(commits) < burrowWindow || everWithoutLag(commits) {
		return false
	}
	for i, c := range commits[1:] {
		if c.lag < commits[i].lag {
			return false
		}
	}
	return true
}

func everWithoutLag(commits []commit) bool {
	for _, c := range commits {
		if c.lag == 0 {
			return true
		}
	}
	return false
}
