package sim

import "kafka-retention-exporter/model"

// The collector lets log starts and sizes rest as the forecasts allow (model.Attention); what
// follows does as collector/starts.go and collector/sizes.go do.

// sizeDue tells whether the size is read: every so often in any case, and under retention.bytes
// when the forecasts need it.
func (e *exporter) sizeDue(w *world) bool {
	return e.sizedAt == 0 || w.now.Sub(e.sizedAt) >= sizesEvery ||
		sizeLimited(w) && !e.attention.SizeRests(key, e.clock(w))
}

func sizeLimited(w *world) bool {
	_, limited := w.log.Settings().SizeLimit()
	return limited
}

// sizeAfterMove asks for a size beside a log start that has just been seen to move.
func (e *exporter) sizeAfterMove(w *world, start model.Offset) bool {
	before, known := e.last.LogStart.Get()
	return known && start != before && sizeLimited(w)
}

// readStart reads the log start where it is due, and tells whether it was read.
func (e *exporter) readStart(w *world, part *model.Partition, sizing bool) bool {
	_, read := part.LogStart.Get()
	if read && !sizing && !e.doubt && e.attention.LogStartRests(key, e.clock(w)) {
		return false
	}
	e.doubt = !e.answers()
	if !e.doubt {
		part.LogStart = model.ReadAt(w.log.Start(), e.clock(w))
	}
	return !e.doubt
}

// readEnd reads the end; where it went back, the log start is in doubt.
func (e *exporter) readEnd(w *world, part *model.Partition) {
	if before, known := part.End.Get(); known && w.log.End() < before {
		e.doubt = true
	}
	part.End = model.ReadAt(w.log.End(), e.clock(w))
}

// distrust takes back a log start above the end: one of the answers is of another log.
func (e *exporter) distrust(part *model.Partition) {
	start, _ := part.LogStart.Get()
	if end, ok := part.End.Get(); ok && start > end {
		part.LogStart, part.End, part.Size = e.last.LogStart, e.last.End, e.last.Size
		e.doubt = true
	}
}

// hold lets a log start that was not due stand for the present.
func (e *exporter) hold(part *model.Partition, begin model.Instant) {
	if _, fresh := part.End.FreshSince(begin); fresh && !e.doubt {
		at, _ := part.End.At()
		part.LogStartHolds = model.Known(at)
	}
}
