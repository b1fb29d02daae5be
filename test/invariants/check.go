package invariants

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Checker checks the pages of one exporter, in the order in which they were scraped.
type Checker struct {
	counters map[string]float64 // by series
	lost     map[pair]lostPair  // on the page before
}

// New makes a Checker that has seen no page.
func New() *Checker { return &Checker{counters: map[string]float64{}, lost: map[pair]lostPair{}} }

// Check reads one page in the text format and returns what is wrong with it, or nil.
func (c *Checker) Check(text io.Reader) error {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(text)
	if err != nil {
		return fmt.Errorf("parse page: %w", err)
	}
	p := newPage(families)
	return errors.Join(append([]error{
		checkValues(families), checkVocabulary(p), c.checkCounters(families), c.checkLost(p),
	}, checkPairs(p)...)...)
}

// slack is what float seconds may differ by without meaning anything: instants are whole
// milliseconds, and a float64 near today's Unix time holds them to a quarter of a microsecond.
const slack = 1e-6

func same(a, b float64) bool { return a == b || math.Abs(a-b) <= slack }

func notLater(a, b float64) bool { return a <= b+slack }
