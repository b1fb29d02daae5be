package sim

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// producers are the ways in which records come.
func producers() []Family {
	const axis = track.ProducerAxis
	return []Family{
		{Name: "const", Axis: axis, Tuned: true, often: 3, set: flat},
		{Name: "daily", Axis: axis, often: 3, set: daily},
		{Name: "weekly", Axis: axis, Tuned: true, often: 1, set: weekly},
		{Name: "bursts", Axis: axis, often: 2, set: bursts},
		{Name: "growth", Axis: axis, Tuned: true, often: 1, set: growth},
		{Name: "night_idle", Axis: axis, often: 1, set: nightIdle},
		{Name: "stops", Axis: axis, Tuned: true, set: stops},
		{Name: "backfill", Axis: axis, set: backfill},
		{Name: "disorder", Axis: axis, Tuned: true, often: 1, set: disorder},
		{Name: "future_stamp", Axis: axis, set: futureStamp},
		{Name: "size_step", Axis: axis, Tuned: true, set: sizeStep},
		{Name: "markers", Axis: axis, often: 1, set: markers},
	}
}

func flat(d *draw) {
	d.Producer = Producer{Shape: Flat, Noise: d.between(0, 0.4), Drift: 0.15, Stop: model.Forever}
}

// timeOfDay is any.
func (d *draw) timeOfDay() model.Millis { return model.Millis(d.Int63n(int64(day))) }

// real is one of the given traces where they are there, from any of its values on; ok is false
// where there are none.
func (d *draw) real(step func(Trace) bool) (Shape, bool) {
	var fit []Trace
	for _, t := range d.traces {
		if step(t) {
			fit = append(fit, t)
		}
	}
	if len(fit) == 0 || d.oneIn(2) {
		return nil, false
	}
	t := fit[d.Intn(len(fit))]
	return t.From(d.Begin, d.Intn(len(t.Values))), true
}

func slowTrace(t Trace) bool { return t.Step >= 10*minute }
func fastTrace(t Trace) bool { return t.Step < 10*minute }

func daily(d *draw) {
	flat(d)
	if s, ok := d.real(slowTrace); ok {
		d.Producer.Shape = s
		return
	}
	d.Producer.Shape = Daily(d.between(0.3, 0.95), d.timeOfDay())
}

func weekly(d *draw) {
	flat(d)
	if s, ok := d.real(slowTrace); ok {
		d.Producer.Shape = s
		return
	}
	d.Producer.Shape = Weekly(d.between(0.3, 0.9), d.between(0.1, 0.6), d.timeOfDay())
}

func bursts(d *draw) {
	flat(d)
	if s, ok := d.real(fastTrace); ok {
		d.Producer.Shape = s
		return
	}
	d.Producer.Shape = Bursting(30, burstsBetween(d.Rand, d.Begin, d.end().Add(4*d.Retention), d.Retention))
}

func growth(d *draw) {
	flat(d)
	d.Producer.Shape = Growing(0.05, d.Start)
}

func nightIdle(d *draw) {
	flat(d)
	d.Producer.Shape = NightIdle(model.Millis(d.between(3, 10)*float64(hour)), d.timeOfDay())
}

func stops(d *draw) {
	flat(d)
	if d.oneIn(2) {
		daily(d)
	}
	d.Producer.Stop = d.Start.Add(model.Millis(d.between(-0.1, 0.6) * float64(d.Watch)))
	d.event(d.Producer.Stop, track.ProducerStopped)
}

// backfill writes in a moment what is stamped long ago.
func backfill(d *draw) {
	flat(d)
	at := d.Start.Add(model.Millis(d.between(-0.2, 0.7) * float64(d.Watch)))
	oldest := at.Add(-d.share(0.2, 1.5))
	const batches = 120
	for i := range batches {
		step := at.Sub(oldest) / (batches + 1)
		first := oldest.Add(step * model.Millis(i))
		d.Producer.Extras = append(d.Producer.Extras, Extra{
			At: at.Add(model.Millis(i) * second), Records: 1 + d.Intn(400), First: first, Newest: first.Add(step - 1),
		})
	}
	d.event(at, track.Backfill)
}

func disorder(d *draw) {
	flat(d)
	if d.oneIn(2) {
		daily(d)
	}
	d.Producer.Late, d.Producer.LateBy = 0.1, min(hour, d.Retention/8)
}

// futureStamp is one record stamped within what a broker accepts, or far beyond as old ones did.
func futureStamp(d *draw) {
	flat(d)
	at := d.Start.Add(model.Millis(d.between(-0.3, 0.6) * float64(d.Watch)))
	ahead := model.Millis(d.between(0.05, 1) * float64(hour))
	if d.oneIn(2) {
		ahead = d.share(0.2, 3)
	}
	d.Producer.Extras = []Extra{{At: at, Records: 1, First: at.Add(ahead), Newest: at.Add(ahead)}}
	d.event(at, track.FutureStamp)
}

func sizeStep(d *draw) {
	flat(d)
	times := 4.0
	if d.oneIn(2) {
		times = 0.25
	}
	d.Producer.Steps = []SizeStep{{At: d.Start.Add(model.Millis(d.between(-0.3, 0.7) * float64(d.Watch))), Times: times}}
}

// markers are those of transactions: an offset without a record after each batch.
func markers(d *draw) {
	flat(d)
	if d.oneIn(2) {
		daily(d)
	}
	d.Producer.Markers = true
}
