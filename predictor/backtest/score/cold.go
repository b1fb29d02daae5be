package score

// coldPolls is how many polls the start of an exporter is watched for.
const coldPolls = 40

// cold is how an exporter begins.
type cold struct {
	judged bool
	sound  int       // polls until the first floor that held; 0 if there was none
	off    []float32 // error of the deadline at each of the first polls, in check intervals; below 0 where there was none
}

// cold watches the first polls of a pair whose position does not get lost meanwhile.
func (tr *trial) cold(e *episode) {
	for i := range tr.t.Polls[:min(coldPolls, len(tr.t.Polls))] {
		p := &tr.t.Polls[i]
		gone, ok := p.Gone.Get()
		if !ok || isLost(p) || tr.t.Disturbed(p.At, gone) {
			if i == 0 {
				return
			}
			break
		}
		e.cold.judged = true
		said := &tr.said[i][0]
		if floor, ok := said.floor.Get(); ok && floor <= gone && e.cold.sound == 0 {
			e.cold.sound = i + 1
		}
		off := float32(-1)
		if stopped, ok := said.stopped.Get(); ok {
			off = float32(max(stopped.Sub(gone), gone.Sub(stopped))) / float32(tr.t.Check)
		}
		e.cold.off = append(e.cold.off, off)
	}
}

// within is the first poll whose error is at most so large; 0 if none is.
func (c *cold) within(off float64) int {
	for i, v := range c.off {
		if v >= 0 && float64(v) <= off {
			return i + 1
		}
	}
	return 0
}
