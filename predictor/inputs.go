package predictor

import "kafka-retention-exporter/model"

// inputs echoes what the partition contributes to a forecast.
func (p *partition) inputs(g *model.Group) Inputs {
	in := Inputs{GroupState: g.State}
	if v, ok := p.start.Get(); ok {
		in.LogStart = model.Known(v)
	}
	if v, ok := p.end.Get(); ok {
		in.End = model.Known(v)
	}
	if v, ok := p.bytes.Size(); ok {
		in.Size = model.Known(v.Bytes)
	}
	if set, ok := p.settings.Get(); ok {
		if v, ok := set.TimeLimit(); ok {
			in.RetentionMs = model.Known(v)
		}
		if v, ok := set.SizeLimit(); ok {
			in.RetentionBytes = model.Known(v)
		}
	}
	if p.check > 0 {
		in.CheckInterval = model.Known(p.check)
	}
	if v, ok := usualRate(&p.ends, p.horizon()); ok {
		in.ProduceRate = model.Known(v * 1000)
	}
	if v, ok := usualRate(&p.volume, p.horizon()); ok {
		in.ByteRate = model.Known(v * 1000)
	}
	if p.led {
		in.Leader = model.Known(p.leader)
	}
	return in
}
