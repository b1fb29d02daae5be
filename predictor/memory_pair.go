package predictor

import (
	"math"

	"kafka-retention-exporter/model"
)

// PairMemory is what is kept of a group on a partition.
type PairMemory struct {
	Group     string        `json:"g"`
	Topic     string        `json:"t"`
	Partition int32         `json:"p,omitempty"`
	ID        model.TopicID `json:"i,omitzero"` // none if it is that of the partition
	Ago       model.Millis  `json:"a"`          // since the position was read
	Position  model.Offset  `json:"o"`
	// Lost is how many offsets it lost, Counted up to which log start that was counted, and LostAt
	// since when its position is below the log start, 0 for not.
	Lost    int64         `json:"l,omitempty"`
	Counted model.Offset  `json:"c"`
	LostAt  model.Instant `json:"d,omitempty"`
	// Pace is how it moved; none before it was seen twice.
	Pace *PaceMemory `json:"m,omitempty"`
	// Share is of share groups: where one was told to start, and what was counted since it was whole.
	Share *ShareMemory `json:"h,omitempty"`
}

// ShareMemory is what a share group adds to a PairMemory, whose Position it has finished up to.
type ShareMemory struct {
	Start   model.Offset `json:"s"`
	Episode int64        `json:"e,omitempty"`
}

// PaceMemory is how a group moved. Instants are milliseconds before the last look.
type PaceMemory struct {
	Trail    [][2]int64    `json:"t"` // when and how far behind the last position
	Waits    []int32       `json:"w,omitempty"`
	Runs     [][3]int64    `json:"r,omitempty"` // when each began, how long it took, advances
	Swings   [][2]float32  `json:"s,omitempty"`
	Lively   model.Millis  `json:"l,omitempty"`
	Regime   model.Millis  `json:"g,omitempty"`
	Behind   model.Millis  `json:"b,omitempty"`
	Rewound  *model.Millis `json:"d,omitempty"`
	Advances int           `json:"n,omitempty"`
	Stalled  bool          `json:"x,omitempty"`
	Near     bool          `json:"c,omitempty"`
}

// maxTrailKept is how much of a trail is kept, beside its end: enough for a line; and maxWaitsKept
// how many waits.
const (
	maxTrailKept = 5
	maxWaitsKept = 8
)

func (m PairMemory) key() model.PairKey {
	return model.PairKey{Group: m.Group, PartitionKey: model.PartitionKey{Topic: m.Topic, Partition: m.Partition}}
}

func (q *pair) memory(key model.PairKey, now model.Instant) PairMemory {
	m := PairMemory{
		Group: key.Group, Topic: key.Topic, Partition: key.Partition, ID: q.topic,
		Lost: q.loss.offsets, Counted: q.loss.counted, Pace: q.pace.memory(),
	}
	m.Position, _ = q.position.Get()
	at, _ := q.position.At()
	m.Ago = now.Sub(at)
	m.LostAt, _ = q.loss.at.Get()
	if s := q.sharing; s != nil {
		m.Share = &ShareMemory{s.start, s.episode}
	}
	return m
}

func (p *pace) memory() *PaceMemory {
	if p.polls == 0 || p.trail.n == 0 {
		return nil
	}
	ago := func(t model.Instant) model.Millis { return max(0, p.seen.Sub(t)) }
	m := &PaceMemory{
		Lively: ago(p.lively), Regime: ago(p.regime), Behind: ago(p.behind),
		Advances: int(min(p.advances, maxTrail)), Stalled: p.stalled, Near: p.near,
	}
	if at, ok := p.rewound.Get(); ok {
		since := ago(at)
		m.Rewound = &since
	}
	_, tip := p.trail.last()
	for i := range p.trail.len() {
		left := p.trail.len() - 1 - i // ever fewer, the further back
		if left > 0 && (left&(left+1) == 0 || i == 0) && len(m.Trail) < maxTrailKept {
			m.Trail = append(m.Trail, [2]int64{int64(ago(p.trail.at(i))), int64(tip - p.trail.position(i))})
		}
	}
	for i := max(p.waits.n-maxWaitsKept, 0); i < p.waits.n; i++ {
		m.Waits = append(m.Waits, p.waits.ring[i%maxWaits])
	}
	for _, r := range p.runs {
		m.Runs = append(m.Runs, [3]int64{int64(ago(r.start)), int64(r.length), int64(r.advances)})
	}
	for _, s := range p.swings {
		if s.n > 0 {
			m.Swings = append(m.Swings, [2]float32{s.variance, float32(s.n)})
		}
	}
	return m
}

// recall takes in what is remembered. A group whose offsets were unwatched for a while may have
// committed meanwhile: seen stays false, so that no clock of expiry starts with that.
func (q *pair) recall(m PairMemory, at model.Instant) {
	at = at.Add(-m.Ago)
	q.topic = m.ID
	q.position = model.ReadAt(m.Position, at)
	q.loss = lossCount{offsets: max(0, m.Lost), counted: max(0, m.Counted), started: true}
	if m.LostAt != 0 {
		q.loss.at = model.Known(m.LostAt)
	}
	if m.Share != nil {
		q.sharing = &sharing{start: m.Share.Start, finished: m.Position, episode: max(0, m.Share.Episode)}
	}
	if m.Pace != nil {
		q.pace.recall(*m.Pace, at, m.Position)
	}
}

func (p *pace) recall(m PaceMemory, seen model.Instant, tip model.Offset) {
	p.polls, p.seen, p.resumed = 2, seen, true
	p.lively, p.regime, p.behind = seen.Add(-m.Lively), seen.Add(-m.Regime), seen.Add(-m.Behind)
	p.advances, p.stalled, p.near = int32(min(max(0, m.Advances), maxTrail)), m.Stalled, m.Near
	if m.Rewound != nil {
		p.rewound = model.Known(seen.Add(-*m.Rewound))
	}
	last := int64(math.MaxInt64)
	for _, point := range m.Trail {
		if point[0] > 0 && point[0] < min(last, math.MaxInt32) && point[1] >= 0 {
			last = point[0]
			p.trail.add(seen.Add(-model.Millis(point[0])), tip-model.Offset(point[1]))
		}
	}
	p.trail.add(seen, tip)
	for _, wait := range m.Waits {
		p.waits.add(model.Millis(max(0, wait)))
	}
	for _, r := range m.Runs {
		p.runs.add(run{seen.Add(-model.Millis(max(0, r[0]))), int32(min(max(unwatched, r[1]), math.MaxInt32)), int32(min(max(0, r[2]), math.MaxInt32-1))})
	}
	p.swings.begin(seen, tip)
	for k, s := range m.Swings {
		if k < swingScales && s[0] >= 0 && s[1] >= 1 && s[1] <= 15 {
			p.swings[k].variance, p.swings[k].n = s[0], int32(s[1])
		}
	}
}

// resume takes in the first look after a restart: how long it stood still before is known, but not
// what it did while nobody looked.
func (p *pace) resume(at model.Instant, poll model.Millis) {
	if p.resumed {
		p.resumed = false
		p.lively = p.lively.Add(max(0, at.Sub(p.seen)-poll))
	}
}
