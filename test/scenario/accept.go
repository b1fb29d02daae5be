package scenario

import "fmt"

// What the first release promises, as shares.
const (
	floorPresence    = 0.99 // of the polls after the second
	floorTightness   = 0.8  // of the time left, in the median, under the time rule
	stoppedShareTime = 0.05 // of the time left, besides one check and one poll
	stoppedShareSize = 0.20 // likewise under the size rule or both
	nearShare        = 0.3  // of the retention: no nearer loss for a healthy group
)

// Broken lists the promises that were not kept, in words; none is good. What a script itself failed to
// bring about is listed too, so that a run that proves nothing does not pass.
func Broken(scores []Score) []string {
	var all []string
	var tight []float64
	for _, s := range scores {
		all = append(all, s.Broken()...)
		if s.Record.Scenario.Rule == ByTime {
			tight = append(tight, s.Tight...)
		}
	}
	if m := median(tight); !(m >= floorTightness) {
		all = append(all, fmt.Sprintf("median floor under the time rule is at %.2f of the time left, over %d", m, len(tight)))
	}
	return all
}

// Broken lists the promises that were not kept for the pair alone. How tight the floor is, is judged over all
// pairs: of one that is always about to be overtaken, the time left is as short as the clock tolerance.
func (s Score) Broken() []string {
	var all []string
	broken := func(is bool, format string, args ...any) {
		if is {
			all = append(all, s.Record.Pair.Group+": "+fmt.Sprintf(format, args...))
		}
	}
	g := s.Record.Group
	broken(s.Forecasts == 0, "no forecast at all")
	broken(s.WrongPosition > 0, "%d of %d forecasts stand on an offset that was not committed then", s.WrongPosition, s.Forecasts)
	broken(s.FloorLate > 0, "floor later than the real instant in %d of %d, by %v at most", s.FloorLate, s.FloorLabelled, s.FloorWorst)
	broken(float64(s.FloorPresent) < floorPresence*float64(s.FloorAsked), "floor present in %d of %d polls", s.FloorPresent, s.FloorAsked)
	broken(s.StoppedWrong > 0, "stopped loss off in %d of %d%s", s.StoppedWrong, s.StoppedAsked, s.StoppedWorst)
	broken(s.NeverBroken > 0, "an instant where nothing is deleted in %d of %d", s.NeverBroken, s.NeverAsked)
	broken(s.LostSaid < s.LostAsked, "lost said in %d of %d", s.LostSaid, s.LostAsked)
	broken(s.FalselyLost > 0, "lost said in %d though nothing was", s.FalselyLost)
	broken(s.LostJudged && (s.LostCount < s.LostLeast || s.LostCount > s.LostMost), "%d lost, in truth %d to %d", s.LostCount, s.LostLeast, s.LostMost)
	broken(s.NearLoss > 0, "a near loss for a healthy group in %d of %d", s.NearLoss, s.Forecasts)
	broken(g.Silent && s.ReasonSaid < s.ReasonAsked, "no_commit said in %d of %d", s.ReasonSaid, s.ReasonAsked)
	broken(g.Loses && s.LostMost == 0, "the script should have made it lose records and did not")
	broken(!g.Loses && s.LostAsked+int(s.LostLeast) > 0, "the script should not have made it lose records and did")
	return all
}
