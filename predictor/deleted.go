package predictor

import "kafka-retention-exporter/model"

// suspect is where the chain began before a step of the log start that retention can have made. Whether
// it did the next size tells: DeleteRecords takes nothing from the files of a segment that stays.
type suspect struct {
	base   model.Offset
	exact  bool
	oldest model.Maybe[model.Stamped]
}

// suspect is that of a step to a log start; nil where no base is known below it.
func (c *chain) suspect(start model.Offset) *suspect {
	base, _ := c.around(start - 1)
	b, ok := base.Get()
	if !ok || c.whole {
		return nil
	}
	return &suspect{base: b, exact: c.exact && b == c.bases[0], oldest: c.oldest}
}

// acquit holds the steps since the last size against a new one. Where the files are as large as if
// nothing had been deleted, they were none of retention's, and the log start is no base.
func (p *partition) acquit(size model.SizeRead) {
	s := p.suspect
	prev, ok := p.bytes.Size()
	if s == nil || !ok || !size.Still || size.LogStart <= prev.LogStart {
		return
	}
	p.suspect = nil
	from, _ := p.bytes.At(prev.LogStart)
	upTo, known := p.bytes.At(size.LogStart)
	came := p.bytes.PerOffset() * float64(size.EndAfter-prev.EndAfter)
	below, gone := float64(upTo-from), float64(prev.Bytes-size.Bytes)+came
	if !known || p.chain.whole || !p.onBase || below < came || 4*gone > below {
		return
	}
	p.onBase = false
	p.proof.drop()
	p.chain.anchor(s.base)
	p.chain.exact, p.chain.oldest = s.exact, s.oldest
}
