package exporter

import (
	"cmp"
	"slices"

	dto "github.com/prometheus/client_model/go"
)

// label is one name and its value.
type label struct{ name, value string }

// labelSet are labels ordered by name, as every format wants them. The dozen samples of a pair
// share one set, and with it what a format makes of it: with a hundred thousand pairs, making
// that for each sample would be most of the cost of a page. The nil set has no labels. A set is
// used from one goroutine at a time.
type labelSet struct {
	labels []label
	text   string           // as the text formats write it
	pairs  []*dto.LabelPair // as the registry wants it
}

// labelled makes a set from names and values in turn.
func labelled(namesAndValues ...string) *labelSet {
	set := &labelSet{labels: make([]label, 0, len(namesAndValues)/2)}
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		set.labels = append(set.labels, label{namesAndValues[i], namesAndValues[i+1]})
	}
	return set.sorted()
}

// and is a new set with one label more.
func (l *labelSet) and(name, value string) *labelSet {
	more := &labelSet{labels: append(slices.Clone(l.labels), label{name, value})}
	return more.sorted()
}

func (l *labelSet) sorted() *labelSet {
	slices.SortFunc(l.labels, func(a, b label) int { return cmp.Compare(a.name, b.name) })
	return l
}

// asText is the set in braces, empty for the nil set.
func (l *labelSet) asText() string {
	if l == nil {
		return ""
	}
	if l.text == "" {
		size := 2
		for _, one := range l.labels {
			size += len(one.name) + len(one.value) + 4
		}
		text, before := make([]byte, 0, size), byte('{')
		for _, one := range l.labels {
			text = append(append(append(text, before), one.name...), '=', '"')
			text = append(appendEscaped(text, one.value, true), '"')
			before = ','
		}
		l.text = string(append(text, '}'))
	}
	return l.text
}

// asPairs is the set as the registry wants it; it only reads.
func (l *labelSet) asPairs() []*dto.LabelPair {
	if l == nil {
		return nil
	}
	if l.pairs == nil {
		l.pairs = make([]*dto.LabelPair, len(l.labels))
		for i := range l.labels {
			l.pairs[i] = &dto.LabelPair{Name: &l.labels[i].name, Value: &l.labels[i].value}
		}
	}
	return l.pairs
}
