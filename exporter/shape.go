package exporter

import (
	"fmt"
	"slices"
)

// Shape is how much /metrics says. JSON and the status page always say everything.
type Shape struct {
	Granularity Granularity // the zero value means ByPartition
	Detail      Detail      // the zero value means Full
	// MaxPairs is how many pairs have series of their own, those at risk first; 0 is no limit.
	// The others are counted in kafka_retention_forecasts_unknown{reason="limit"}.
	MaxPairs int
}

// Granularity is how finely pairs and partitions are told apart.
type Granularity uint8

// Granularities. By topic, the label partition is left out: instants are the minimum, ratios the
// maximum, counts and sizes the sum, the state that of the earliest loss; offsets are left out.
const (
	ByPartition Granularity = iota + 1
	ByTopic
)

// Detail is which families are served.
type Detail uint8

// Details. Standard leaves out series that no shipped alert or recording rule uses.
const (
	Full Detail = iota + 1
	Standard
)

// ParseGranularity reads "partition" or "topic".
func ParseGranularity(word string) (Granularity, error) {
	return parseWord[Granularity](word, "partition", "topic")
}

// ParseDetail reads "full" or "standard".
func ParseDetail(word string) (Detail, error) { return parseWord[Detail](word, "full", "standard") }

// parseWord is the place of a word among those of an enum, from 1.
func parseWord[T ~uint8](word, first, second string) (T, error) {
	i := slices.Index([]string{first, second}, word)
	if i < 0 {
		return 0, fmt.Errorf("must be %s or %s (got %q)", first, second, word)
	}
	return T(i + 1), nil
}

func (s Shape) byTopic() bool { return s.Granularity == ByTopic }

func (s Shape) leavesOut(f *family) bool { return f.fullOnly && s.Detail == Standard }
