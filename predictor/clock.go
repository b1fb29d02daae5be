package predictor

import "kafka-retention-exporter/model"

// forgetTimes drops what was timed by a clock that has been put back: of it, nothing is before or
// after what is seen from now on. What the log and the groups did stays.
func (p *Predictor) forgetTimes() {
	for _, part := range p.partitions {
		part.ends, part.volume = model.Growth{}, model.Growth{}
		part.audit = audit{}
	}
	for _, q := range p.pairs {
		q.pace = pace{}
	}
	clear(p.phases)
}
