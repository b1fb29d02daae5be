package predictor

import "kafka-retention-exporter/model"

// Study are questions that lay out the logs of one topic to their ends, whatever limits are in
// force: before a limit is set, nothing asks for what it would act on. At most one a partition;
// none once all is known. Call Learn with the answers, then ask again.
func (p *Predictor) Study(topic string) []model.TimeQuestion {
	if p.snapshot == nil {
		return nil
	}
	var out []model.TimeQuestion
	p.aim()
	for key, part := range p.partitions {
		if key.Topic != topic {
			continue
		}
		if t, ok := part.study(part.targets, p.snapshot.Started); ok {
			out = append(out, model.TimeQuestion{Key: key, At: t})
		}
	}
	return out
}

func (p *partition) study(positions []model.Offset, polled model.Instant) (model.Instant, bool) {
	set, ok := p.settings.Get()
	end, known := p.end.Get()
	if !ok || !known {
		return 0, false
	}
	if t, ok := p.chain.ask.Get(); ok {
		return t, true
	}
	for _, w := range p.wants(positions, end, set) {
		if t, ok := p.bisect(w, polled); ok {
			return t, true
		}
	}
	return 0, false
}
