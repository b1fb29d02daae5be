package score

// Figure is a number of a table with its 95 % confidence limits. N is the number of episodes
// that it stands on; with 0 there is no number.
type Figure struct {
	Value, Low, High float64
	N                int
}

// Known tells whether there is a number.
func (f Figure) Known() bool { return f.N > 0 }

// complement is 1 - f.
func (f Figure) complement() Figure {
	if f.Known() {
		f.Value, f.Low, f.High = 1-f.Value, 1-f.High, 1-f.Low
	}
	return f
}
