package sim

import (
	"math/rand"

	"kafka-retention-exporter/model"
)

// Producer writes one partition: batches at nearly even intervals, as many records as the shape
// asks for.
type Producer struct {
	Shape   Shape
	PerMs   float64      // records a millisecond where the shape is 1
	Every   model.Millis // between batches
	Record  model.Bytes  // mean bytes of a record
	Noise   float64      // of the number of records from batch to batch, as a share
	Drift   float64      // of the record size, slowly, as a share
	Markers bool         // a transaction marker, one offset, follows each batch
	// Late is the share of batches whose stamps lie up to LateBy in the past.
	Late   float64
	LateBy model.Millis
	// Stop is when it stops for good; Forever for never.
	Stop model.Instant
	// Steps change the size of records from an instant on.
	Steps []SizeStep
	// Extras are batches besides.
	Extras []Extra
}

// SizeStep multiplies the size of records.
type SizeStep struct {
	At    model.Instant
	Times float64
}

// Extra is records that come at once with stamps of their own.
type Extra struct {
	At            model.Instant
	Records       int
	First, Newest model.Instant
}

// producing is a producer at work.
type producing struct {
	Producer
	random *rand.Rand
	due    model.Instant // of the next batch
	last   model.Instant // when the last one was written
	owed   float64       // records not written yet
	drift  float64
	extras []Extra
}

func (p Producer) begin(at model.Instant, seed int64) *producing {
	return &producing{Producer: p, random: rand.New(rand.NewSource(seed)), due: at, last: at, drift: 1, extras: p.Extras}
}

// next is when it next writes something.
func (p *producing) next() model.Instant {
	due := p.due
	if p.due >= p.Stop {
		due = model.Forever
	}
	if len(p.extras) > 0 {
		return min(due, p.extras[0].At)
	}
	return due
}

// load is what is to be appended at once.
type load struct {
	records       int
	bytes         model.Bytes
	first, newest model.Instant
}

// overhead is a batch header (DefaultRecordBatch.RECORD_BATCH_OVERHEAD); markerBytes a batch with
// one end-of-transaction marker.
const (
	overhead    = 61
	markerBytes = 78
)

// write is what it writes now; records 0 is nothing.
func (p *producing) write(now model.Instant) load {
	if len(p.extras) > 0 && p.extras[0].At <= now {
		e := p.extras[0]
		p.extras = p.extras[1:]
		return load{e.Records, p.sizeOf(e.Records, now), e.First, e.Newest}
	}
	p.due = now.Add(model.Millis(float64(p.Every) * (0.75 + 0.5*p.random.Float64())))
	noise := max(0, 1+p.Noise*p.random.NormFloat64())
	p.drift = min(1+p.Drift, max(1-p.Drift, p.drift+p.Drift*0.02*p.random.NormFloat64()))
	late := p.random.Float64()
	by := model.Millis(p.random.Float64() * float64(p.LateBy))
	p.owed += p.PerMs * p.Shape(now) * noise * float64(now.Sub(p.last))
	l := load{records: int(p.owed), first: p.last + 1, newest: now}
	p.last = now
	if l.records == 0 {
		return l
	}
	p.owed -= float64(l.records)
	if late < p.Late {
		l.first, l.newest = l.first.Add(-by), l.newest.Add(-by)
	}
	l.bytes = p.sizeOf(l.records, now)
	return l
}

func (p *producing) sizeOf(records int, now model.Instant) model.Bytes {
	size := float64(p.Record) * p.drift
	for _, s := range p.Steps {
		if now >= s.At {
			size *= s.Times
		}
	}
	return overhead + model.Bytes(size*float64(records))
}
