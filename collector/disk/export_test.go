package disk

// Calls are how often the system was called since the reader was made.
type Calls struct{ Looks, Lists, Opens, Reads int64 }

// Calls tells what the reader's work has cost.
func (r *Reader) Calls() Calls {
	c := &r.calls
	return Calls{c.looks.Load(), c.lists.Load(), c.opens.Load(), c.reads.Load()}
}
