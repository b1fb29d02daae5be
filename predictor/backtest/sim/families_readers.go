package sim

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// readers are the ways in which a group reads.
func readers() []Family {
	const axis = track.GroupAxis
	return []Family{
		{Name: "healthy", Axis: axis, Tuned: true, often: 4, set: healthy},
		{Name: "stop", Axis: axis, often: 4, set: stop},
		{Name: "slow_0.95", Axis: axis, Tuned: true, often: 1, set: slow(0.95)},
		{Name: "slow_0.8", Axis: axis, often: 2, set: slow(0.8)},
		{Name: "slow_0.5", Axis: axis, Tuned: true, often: 2, set: slow(0.5)},
		{Name: "below_peak", Axis: axis, often: 1, set: belowPeak},
		{Name: "recovers", Axis: axis, Tuned: true, often: 1, set: recovers},
		{Name: "stall_makes_it", Axis: axis, often: 1, set: stall(0.5, 0.9)},
		{Name: "stall_fails", Axis: axis, Tuned: true, often: 1, set: stall(0.92, 1.2)},
		{Name: "rebalance_storms", Axis: axis, often: 1, set: storms},
		{Name: "commit_1s", Axis: axis, Tuned: true, set: gap(second)},
		{Name: "commit_10m", Axis: axis, often: 1, set: gap(10 * minute)},
		{Name: "commit_1h", Axis: axis, Tuned: true, set: gap(hour)},
		{Name: "cron", Axis: axis, set: cron(onTime)},
		{Name: "cron_skipped", Axis: axis, Tuned: true, set: cron(skipped)},
		{Name: "cron_drifts", Axis: axis, set: cron(drifting)},
		{Name: "empty", Axis: axis, Tuned: true, often: 1, set: deserted},
		{Name: "reset_earliest", Axis: axis, set: reset(false)},
		{Name: "reset_latest", Axis: axis, Tuned: true, set: reset(true)},
		{Name: "no_offset", Axis: axis, set: noOffset},
		{Name: "wide", Axis: axis, Tuned: true, set: wide},
		{Name: "expired", Axis: axis, set: expired},
	}
}

// member is a group that reads well, as a start for the others.
func member(d *draw) {
	gaps := []model.Millis{second, second, 5 * second, minute, d.Exporter.Poll * 3 / 2, 10 * minute}
	d.Reader = Reader{
		PerMs: d.Producer.PerMs * d.between(1.5, 4), Noise: d.between(0, 0.3),
		Born: d.Begin, Expires: model.Forever, Protocol: "consumer", Kind: model.KindClassic,
		LatestOnLoss: d.oneIn(6), Sound: true,
	}
	d.commits(gaps[d.Intn(len(gaps))])
	switch d.Intn(4) {
	case 0:
		d.Reader.Protocol = ""
	case 1:
		d.Reader.Kind = model.KindConsumer
	}
}

// commits sets the gap between commits. Less than a third of a poll nobody can tell from a third.
func (d *draw) commits(gap model.Millis) { d.Reader.Gap = max(gap, d.Exporter.Poll/3) }

func healthy(d *draw) { member(d) }

// standsFrom stops the group for a while.
func (d *draw) standsFrom(at, until model.Instant, state string) {
	if d.Reader.Protocol == "" {
		state = ""
	}
	d.Reader.Spells = append(d.Reader.Spells, Spell{interval: interval{at, until}, State: state})
	d.Onset = model.Known(at)
}

// somewhere is an instant by which a fault that takes about one retention still shows in the watch.
func (d *draw) somewhere() model.Instant {
	return d.Start.Add(model.Millis(d.between(-0.15, 0.45) * float64(d.Watch)))
}

func stop(d *draw) {
	member(d)
	d.Reader.Sound = false
	d.standsFrom(d.somewhere(), model.Forever, "")
}

func deserted(d *draw) {
	member(d)
	d.Reader.Sound, d.Reader.Protocol = false, "consumer"
	d.standsFrom(d.somewhere(), model.Forever, "Empty")
}

// slow reads less than comes, and is as far behind when the watch begins as makes it lose within it.
func slow(share float64) func(*draw) {
	return func(d *draw) {
		member(d)
		d.Reader.Sound = false
		d.Reader.PerMs = d.Producer.PerMs * share
		until := d.between(0.3, 0.85) * float64(d.Watch) / float64(d.Retention)
		d.Reader.Behind = model.Millis(max(0.02, min(0.97, 1-(1-share)*until)) * float64(d.Retention))
		d.Onset = model.Known(d.Start)
	}
}

// belowPeak keeps up with the mean and not with the peak of the day.
func belowPeak(d *draw) {
	member(d)
	d.Reader.PerMs = d.Producer.PerMs * d.between(1.03, 1.2)
	d.Reader.Behind = d.share(0, 0.6)
}

// recovers reads too slowly for a while.
func recovers(d *draw) {
	slow(d.between(0.3, 0.6))(d)
	d.Reader.Sound = true
	from := d.Start.Add(d.share(0.2, 1.4))
	d.Reader.Spells = []Spell{{interval: interval{from, model.Forever}, Times: d.between(3, 6)}}
}

// stall is a pause of so many shares of the time that records live, then a race.
func stall(from, to float64) func(*draw) {
	return func(d *draw) {
		member(d)
		at := d.somewhere()
		lives := float64(d.Retention) * (1 + d.span/2)
		d.standsFrom(at, at.Add(model.Millis(d.between(from, to)*lives)), "")
		d.Reader.PerMs = d.Producer.PerMs * d.between(1.5, 3)
	}
}

// storms are rebalances of some minutes, one after another.
func storms(d *draw) {
	member(d)
	d.Reader.Protocol = "consumer"
	at := d.Start
	for at < d.end() {
		at = at.Add(d.share(0.02, 0.4))
		for range 1 + d.Intn(6) {
			length := model.Millis(d.between(1, 5) * float64(minute))
			d.Reader.Spells = append(d.Reader.Spells, Spell{interval: interval{at, at.Add(length)}, State: "PreparingRebalance"})
			at = at.Add(length + model.Millis(d.between(1, 10)*float64(minute)))
		}
	}
}

// gap is a group with a gap between commits, well or not.
func gap(every model.Millis) func(*draw) {
	return func(d *draw) {
		[]func(*draw){healthy, stop, slow(0.8), slow(0.5)}[d.Intn(4)](d)
		d.commits(every)
	}
}

// Ways of a nightly job.
const (
	onTime = iota
	skipped
	drifting
)

// cron is a job that reads all there is once in a period.
func cron(way int) func(*draw) {
	return func(d *draw) {
		member(d)
		period := model.Millis(float64(d.Retention) / d.between(1.5, 3.5))
		d.Reader.PerMs = d.Producer.PerMs * d.between(12, 40)
		d.Reader.Gap = max(d.Exporter.Poll*3/2, period/300)
		d.OnTime = way == onTime
		d.Watch = max(d.Watch, 6*period)
		at, drift := d.Begin.Add(model.Millis(d.Float64()*float64(period))), model.Millis(0)
		if way == drifting {
			drift = model.Millis(d.between(-0.06, 0.06) * float64(period))
		}
		skip := 4 + int(d.Start.Sub(at)/period) + d.Intn(2)
		for i := 0; at < d.end().Add(8*d.Retention); i++ {
			if way == skipped && i == skip {
				d.Reader.Late = append(d.Reader.Late, interval{at, at.Add(period)})
				d.Onset = model.Known(at)
			} else {
				d.Reader.Runs = append(d.Reader.Runs, at.Add(model.Millis(d.between(0, 0.01)*float64(period))))
			}
			at = at.Add(period + drift)
		}
	}
}

func reset(toLatest bool) func(*draw) {
	return func(d *draw) {
		member(d)
		if toLatest {
			slow(0.5)(d)
			d.Reader.Sound = true
			d.Reader.Spells = nil
		}
		at := d.somewhere().Add(d.Watch / 6)
		d.Reader.Resets = []Seek{{At: at, ToLatest: toLatest}}
		if toLatest {
			d.Reader.Spells = []Spell{{interval: interval{at, model.Forever}, Times: 4}}
		}
		d.event(at, track.Reset)
	}
}

// noOffset has members long before it commits for the first time.
func noOffset(d *draw) {
	member(d)
	d.Reader.Protocol = "consumer"
	d.Reader.Born = d.Start.Add(d.share(0.1, 1))
}

// wide is a group on many partitions, of which one is slow.
func wide(d *draw) {
	[]func(*draw){slow(0.5), slow(0.8), stop}[d.Intn(3)](d)
	d.Reader.Width = 7
}

// expired is a group whose position the broker forgets.
func expired(d *draw) {
	deserted(d)
	at, _ := d.Onset.Get()
	d.Reader.Expires = at.Add(d.share(0.2, 0.8))
}
