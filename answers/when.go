package answers

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"kafka-retention-exporter/model"
)

// When is an instant in JSON: null where it is unknown, "+Inf" for never.
type When struct{ model.Maybe[model.Instant] }

func at(t model.Instant) When { return When{model.Known(t)} }

type whenJSON struct {
	Time any     `json:"time"` // RFC 3339, null in years that it cannot write
	Unix float64 `json:"unix"` // seconds
}

// MarshalJSON writes it.
func (w When) MarshalJSON() ([]byte, error) {
	t, ok := w.Get()
	switch {
	case !ok:
		return []byte("null"), nil
	case t == model.Forever:
		return []byte(`"+Inf"`), nil
	}
	out := whenJSON{Unix: float64(t) / 1000}
	if u := time.UnixMilli(int64(t)).UTC(); u.Year() >= 0 && u.Year() <= 9999 {
		out.Time = u.Format("2006-01-02T15:04:05.000Z07:00")
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads it back.
func (w *When) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "null":
		*w = When{}
		return nil
	case `"+Inf"`:
		*w = at(model.Forever)
		return nil
	}
	var in whenJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return fmt.Errorf("read instant: %w", err)
	}
	*w = at(model.Instant(math.Round(in.Unix * 1000)))
	return nil
}

// String is for people.
func (w When) String() string {
	t, ok := w.Get()
	switch {
	case !ok:
		return "unknown"
	case t == model.Forever:
		return "never"
	}
	return time.UnixMilli(int64(t)).UTC().Format("2006-01-02 15:04:05.000")
}

// Number is a whole number in JSON, null where it is unknown.
type Number struct{ model.Maybe[int64] }

func number[T ~int64](m model.Maybe[T]) Number {
	if v, ok := m.Get(); ok {
		return Number{model.Known(int64(v))}
	}
	return Number{}
}

// MarshalJSON writes it.
func (n Number) MarshalJSON() ([]byte, error) {
	if v, ok := n.Get(); ok {
		return strconv.AppendInt(nil, v, 10), nil
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads it back.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number{}
		return nil
	}
	v, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return fmt.Errorf("read number: %w", err)
	}
	*n = Number{model.Known(v)}
	return nil
}

// String is for people.
func (n Number) String() string {
	if v, ok := n.Get(); ok {
		return strconv.FormatInt(v, 10)
	}
	return "unknown"
}
