package predictor

import "kafka-retention-exporter/model"

// batchLoss is the loss of a group that works in runs and is on time. During a run it moves as
// any other does. Between two, there is none in sight while the next run comes before the records
// are expected to go; else, and where one does not come, it is the runway, and it is said before half
// of the time between the run and the earliest loss is gone.
func (j *judge) batchLoss(f *Forecast, runway deadline) {
	p := &j.pair.pace
	if j.now.Sub(p.lively) <= p.parting(j.cfg.Poll) {
		if l, ok := p.fit(j.cfg.Poll, j.now); ok {
			f.Inputs.Pace = model.Known(l.perMs * 1000)
			j.movingLoss(f, l, runway)
			return
		}
		j.noLoss(f)
		return
	}
	r, _ := j.rhythm()
	rule, _ := runway.rule.Get()
	earliest := j.wary(runway, rule)
	expected, longest := r.last.Add(r.period), r.last.Add(r.longest+3*j.cfg.Poll)
	slack := max(0, earliest.Sub(expected))
	if longest < j.pass(runway.due) && j.now <= max(longest, expected.Add(slack*2/5)) {
		j.noLoss(f)
		f.Earliest = model.Known(earliest)
		f.Closest = leftWhen(f.Stopped, max(expected, j.now))
		return
	}
	j.stoppedLoss(f, runway)
}
