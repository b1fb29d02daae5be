package model

import "sort"

// FirstSince is the first record known to be stamped t or later; ok is false where none is
// known, which does not mean that there is none.
func (c *TimeCurve) FirstSince(t Instant) (r Stamped, ok bool) {
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].stamp >= t })
	if i == len(c.points) {
		return Stamped{}, false
	}
	return c.points[i].stamped(), true
}
