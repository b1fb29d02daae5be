package predictor

import "kafka-retention-exporter/model"

// Scan are questions for whoever looks once only: is there a record stamped later than now in any
// log under a time limit? A watch over time comes to ask that by itself, when the newest stamp it
// knows has grown old. At most one question a partition; none where the newest stamp is bounded.
func (p *Predictor) Scan() []model.TimeQuestion {
	if p.snapshot == nil {
		return nil
	}
	var out []model.TimeQuestion
	for key, part := range p.partitions {
		if !part.deletes() {
			continue
		}
		end, _ := part.end.Get()
		at, below := part.times.Newest(end - 1)
		if lo, ok := at.Get(); ok && !below.IsKnown() {
			out = append(out, model.TimeQuestion{Key: key, At: max(p.snapshot.Started, lo+1)})
		}
	}
	return out
}
