package sim

import (
	"sort"

	"kafka-retention-exporter/model"
)

// written is one batch as it lies in the log: its records are stamped evenly from first to newest.
type written struct {
	base, last    model.Offset
	first, newest model.Instant
	arrived       model.Instant
	total         model.Bytes // of the log up to its end
}

// at is the stamp of one record.
func (b written) at(o model.Offset) model.Instant {
	if b.last == b.base {
		return b.newest
	}
	share := float64(o-b.base) / float64(b.last-b.base)
	return b.first + model.Instant(share*float64(b.newest.Sub(b.first)))
}

// records is the stamps of a partition's records. It answers "first record stamped t or later" as
// a broker does (UnifiedLog.fetchOffsetByTimestamp), by a running largest stamp and halving.
type records struct {
	batches []written
	running []model.Instant // largest stamp from the first batch of the log up to this one
	from    int             // the batch that holds the log start
}

func (r *records) add(b written, size model.Bytes) {
	b.total = r.total() + size
	most := b.newest
	if n := len(r.running); n > r.from {
		most = max(most, r.running[n-1])
	}
	r.batches = append(r.batches, b)
	r.running = append(r.running, most)
}

func (r *records) total() model.Bytes {
	if n := len(r.batches); n > 0 {
		return r.batches[n-1].total
	}
	return 0
}

// arrivedBy is the bytes that had come by an instant.
func (r *records) arrivedBy(t model.Instant) model.Bytes {
	i := sort.Search(len(r.batches), func(i int) bool { return r.batches[i].arrived > t })
	if i == 0 {
		return 0
	}
	return r.batches[i-1].total
}

// comes is when so many bytes more have come, if they take as long as the last so many did; what is
// more than ever came, at the mean of all.
func (r *records) comes(now model.Instant, amount model.Bytes) model.Instant {
	total := r.total()
	switch {
	case amount <= 0:
		return now
	case total == 0:
		return model.Forever
	case amount >= total:
		span := float64(now.Sub(r.batches[0].arrived))
		return now.Add(model.Millis(span * float64(amount) / float64(total)))
	}
	i := sort.Search(len(r.batches), func(i int) bool { return r.batches[i].total > total-amount })
	return now.Add(now.Sub(r.batches[i].arrived))
}

// endBy is the log end at an instant.
func (r *records) endBy(t model.Instant) model.Offset {
	i := sort.Search(len(r.batches), func(i int) bool { return r.batches[i].arrived > t })
	if i == 0 {
		return 0
	}
	return r.batches[i-1].last + 1
}

// idle is for how long nothing has come.
func (r *records) idle(now model.Instant) model.Millis {
	if n := len(r.batches); n > 0 {
		return now.Sub(r.batches[n-1].arrived)
	}
	return 0
}

// holding is the batch that an offset lies in; ok is false at and beyond the end and in gaps.
func (r *records) holding(o model.Offset) (i int, ok bool) {
	i = sort.Search(len(r.batches), func(i int) bool { return r.batches[i].last >= o })
	return i, i < len(r.batches) && r.batches[i].base <= o
}

// trim moves the log start: the largest stamp runs from there, and is changed only as far as what
// was deleted had set it.
func (r *records) trim(start model.Offset) {
	r.from = sort.Search(len(r.batches), func(i int) bool { return r.batches[i].last >= start })
	for i := r.from; i < len(r.batches); i++ {
		most := r.batches[i].newest
		if i > r.from {
			most = max(most, r.running[i-1])
		}
		if r.running[i] == most {
			return
		}
		r.running[i] = most
	}
}

// firstSince is the first record at or after the log start that is stamped t or later.
func (r *records) firstSince(t model.Instant, start model.Offset) model.Stamped {
	live := r.running[r.from:]
	i := r.from + sort.Search(len(live), func(i int) bool { return live[i] >= t })
	if i == len(r.batches) {
		return model.Stamped{}
	}
	b := r.batches[i]
	low := max(b.base, start)
	n := sort.Search(int(b.last-low), func(k int) bool { return b.at(low+model.Offset(k)) >= t })
	o := low + model.Offset(n)
	return model.Stamped{Offset: o, Stamp: b.at(o), Found: true}
}

// stampOf is the stamp of the record at an offset.
func (r *records) stampOf(o model.Offset) model.Maybe[model.Instant] {
	i, ok := r.holding(o)
	if !ok {
		return model.Maybe[model.Instant]{}
	}
	return model.Known(r.batches[i].at(o))
}
