package predictor

import "kafka-retention-exporter/model"

// Comes is when so many bytes more are expected to have come to a partition, as its deadlines by size take
// it: for who knows better which bytes are missing. ok is false where sizes are not known.
func (p *Predictor) Comes(key model.PartitionKey, amount model.Bytes, now model.Instant) (at model.Instant, ok bool) {
	part := p.partitions[key]
	if part == nil {
		return 0, false
	}
	if _, _, seen := part.volume.Last(); !seen {
		return 0, false
	}
	if p.plan.partition != part || p.plan.now != now {
		p.plan.lay(part, now)
	}
	return p.plan.whenCome(float64(amount)), true
}
