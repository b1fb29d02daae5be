package disk

// Calls are how often the system was called since the reader was made.
type Calls struct{ Looks, Lists, Opens, Reads int64 }

// Calls tells what the reader's work has cost.
func (r *Reader) Calls() (all Calls) {
	for _, f := range r.hands {
		all.Looks, all.Lists = all.Looks+f.calls.looks, all.Lists+f.calls.lists
		all.Opens, all.Reads = all.Opens+f.calls.opens, all.Reads+f.calls.reads
	}
	return all
}

// Thorough has the reader ask the offset index about the end of each log.
func (r *Reader) Thorough() *Reader {
	for _, f := range r.allHands() {
		f.thorough = true
	}
	return r
}
