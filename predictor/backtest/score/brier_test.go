package score

import (
	"math"
	"testing"

	"kafka-retention-exporter/model"
)

func TestProbability(t *testing.T) {
	known := model.Known[model.Instant]
	var none instant
	forever := known(model.Forever)
	band := func(earliest, loss, latest instant) said {
		return said{banded: true, earliest: earliest, loss: loss, latest: latest}
	}
	tens := band(known(100), known(200), known(300))
	for _, c := range []struct {
		what  string
		said  said
		until model.Instant
		want  float64
	}{
		{"halfway to earliest", tens, 50, 0.025},
		{"at earliest", tens, 100, 0.05},
		{"between earliest and loss", tens, 150, 0.275},
		{"at the loss", tens, 200, 0.5},
		{"between loss and latest", tens, 250, 0.725},
		{"at latest", tens, 300, 0.95},
		{"beyond", tens, 350, 0.975},
		{"far beyond", tens, 500, 1},
		{"never", band(forever, forever, forever), 1000, 0},
		{"perhaps", band(known(100), forever, forever), 1000, 0.05},
		{"open end", band(known(100), known(200), forever), 1000, 0.5},
		{"no band", band(none, known(200), none), 100, 0.25},
		{"no band, later", band(none, known(200), none), 1000, 0.5},
		{"absent", band(none, none, none), 1000, 0.5},
		{"a band without width, before", band(known(200), known(200), known(200)), 199, 0.05 * 199 / 200},
		{"a band without width, at it", band(known(200), known(200), known(200)), 200, 1},
		{"overdue", band(known(0), known(0), known(0)), 1, 1},
		{"without a band, by then", said{loss: known(200)}, 200, 1},
		{"without a band, not by then", said{loss: known(200)}, 199, 0},
	} {
		if got := probability(&c.said, 0, c.until); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", c.what, got, c.want)
		}
	}
}
