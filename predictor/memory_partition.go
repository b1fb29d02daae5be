package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// PartitionMemory is what is kept of a partition.
type PartitionMemory struct {
	Topic     string         `json:"t"`
	Partition int32          `json:"p"`
	ID        model.TopicID  `json:"i"`
	At        model.Instant  `json:"a"`
	Leader    model.BrokerID `json:"l"`
	Epoch     int32          `json:"e"`
	Start     model.Offset   `json:"s"`
	End       model.Offset   `json:"n"`
	// Base tells that the log start is known to be the base of a segment, LedFrom where its leader
	// began to lead.
	Base    bool         `json:"b,omitempty"`
	LedFrom model.Offset `json:"f,omitempty"`
	// Most is the most bytes that ever came within Poll, Burst what is known of batches.
	Most  int64        `json:"m,omitempty"`
	Poll  model.Millis `json:"o"`
	Burst [10]int64    `json:"u"`
	// Strides is how long segments are that only their steps tell: offsets, steps, those of several in a
	// row, and in thousandths how far off what was learned and what the settings tell were.
	Strides []int64 `json:"h,omitempty"`
	// Ends is how the log grew: milliseconds before At, and offsets before End.
	Ends [][2]int64 `json:"g,omitempty"`
	// Rule and Errors are how wrong its deadlines were, by zone.
	Rule   uint8    `json:"r,omitempty"`
	Errors [][]byte `json:"w,omitempty"`
}

func (m PartitionMemory) key() model.PartitionKey {
	return model.PartitionKey{Topic: m.Topic, Partition: m.Partition}
}

func (p *partition) memory() PartitionMemory {
	m := PartitionMemory{
		Topic: p.key.Topic, Partition: p.key.Partition, ID: p.id, Leader: p.leader, Epoch: p.audit.events.epoch,
		LedFrom: max(p.ledFrom, p.rules.since()), Most: p.peak.most, Poll: p.peak.poll,
	}
	m.At, _ = p.start.At()
	m.Start, _ = p.start.Get()
	m.End, _ = p.end.Get()
	base, exact := p.chain.exactBase()
	m.Base = exact && p.onBase && base == m.Start
	b := p.burst
	m.Burst = [10]int64{
		int64(b.offsets), int64(b.bytes), int64(b.short), int64(b.filled), int64(b.back), int64(b.aged), int64(b.lack), int64(b.lacking),
		int64(b.pace * 1000), int64(b.from),
	}
	if l := p.strides; l != nil {
		m.Strides = []int64{int64(l.offsets), int64(l.seen), int64(l.joint), int64(l.off * 1000), int64(l.stated * 1000)}
	}
	at, ends := p.ends.Sketch()
	for i := range at {
		m.Ends = append(m.Ends, [2]int64{int64(m.At.Sub(at[i])), int64(m.End) - ends[i]})
	}
	if c := p.calibration; c != nil {
		m.Rule = c.rule
		for z := range c.spreads {
			s := &c.spreads[z]
			m.Errors = append(m.Errors, append([]byte{}, s.codes[:s.count]...))
		}
	}
	return m
}

// recall takes in what is remembered, as far as it still holds. A log of another id is left for
// follow to find replaced. What is of the segments holds for the same leader in the same epoch;
// the log start is a base only if it has not moved while nobody watched.
func (p *partition) recall(m PartitionMemory, f model.Partition) {
	if m.ID != f.TopicID && m.ID != (model.TopicID{}) {
		p.id = m.ID
		p.start, p.end = model.ReadAt(m.Start, m.At), model.ReadAt(m.End, m.At)
		return
	}
	p.peak.most = max(0, m.Most)
	if m.Poll > 0 && p.poll > m.Poll {
		p.peak.most = int64(min(float64(p.peak.most)*math.Ceil(float64(p.poll)/float64(m.Poll)), math.MaxInt64/2))
	}
	p.recallErrors(m)
	if end, ok := f.End.Get(); !ok || end < m.End || !f.LeaderKnown || f.Leader != m.Leader || f.LeaderEpoch != m.Epoch {
		return
	}
	for _, point := range m.Ends {
		p.ends.Add(m.At.Add(-model.Millis(point[0])), int64(m.End)-point[1])
	}
	p.leader, p.led, p.ledFrom = m.Leader, true, max(0, m.LedFrom)
	b := m.Burst
	for i := range b {
		b[i] = max(0, b[i])
	}
	p.burst = burst{
		offsets: model.Offset(b[0]), bytes: model.Bytes(b[1]), short: model.Bytes(b[2]), filled: int(b[3]), back: model.Offset(b[4]), aged: int(b[5]),
		lack: model.Bytes(b[6]), lacking: int(b[7]),
		pace: float64(b[8]) / 1000, from: model.Offset(b[9]),
	}
	if l := m.Strides; len(l) == 5 && l[0] > 0 {
		p.strides = &strides{
			offsets: float64(min(l[0], 1<<50)), seen: int(min(max(0, l[1]), strideMemory)), joint: int(min(max(0, l[2]), mostJoint)),
			off: max(0, float64(l[3])/1000), stated: max(0, float64(l[4])/1000),
		}
	}
	if start, ok := f.LogStart.Get(); ok && start == m.Start && m.Base {
		p.start, p.onBase = model.ReadAt(m.Start, m.At), true
		p.chain.anchor(start)
		p.chain.exact = true
	}
}

func (p *partition) recallErrors(m PartitionMemory) {
	if m.Rule == 0 || len(m.Errors) != zones {
		return
	}
	c := &calibration{rule: m.Rule}
	for z := range c.spreads {
		for _, code := range m.Errors[z] {
			c.spreads[z].add(code)
		}
	}
	p.calibration = c
}
