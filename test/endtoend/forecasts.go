package endtoend

import (
	"encoding/json"
	"math"
	"time"

	"kafka-retention-exporter/test/scenario"
)

// Report is what the tests read of /api/v1/forecasts.
type Report struct {
	LastPoll      *Instant `json:"last_poll"`
	UnknownGroups []struct {
		Group  string `json:"consumergroup"`
		Reason string `json:"reason"`
	} `json:"unknown_groups"`
	Pairs []struct {
		Group    string          `json:"consumergroup"`
		Topic    string          `json:"topic"`
		Number   int32           `json:"partition"`
		State    string          `json:"state"`
		Reason   string          `json:"reason"`
		Position *int64          `json:"committed_offset"`
		Loss     json.RawMessage `json:"loss"`
		Earliest json.RawMessage `json:"loss_earliest"`
		Latest   json.RawMessage `json:"loss_latest"`
		Stopped  json.RawMessage `json:"stopped_loss"`
		Floor    json.RawMessage `json:"stopped_loss_floor"`
		Lost     int64           `json:"lost_records_total"`
		InputsAt *Instant        `json:"inputs_read"`
		Inputs   struct {
			Leader        *int32 `json:"leader"`
			CheckInterval *int64 `json:"check_interval_ms"`
		} `json:"inputs"`
	} `json:"pairs"`
}

// Instant is a point in time as the API writes it.
type Instant struct {
	Unix float64 `json:"unix"`
}

// Time is the instant in whole nanoseconds.
func (i Instant) Time() time.Time {
	whole, part := math.Modf(i.Unix)
	return time.Unix(int64(whole), int64(part*1e9))
}

// Forecasts reads what is said about every pair now; nothing before the first poll.
func (p *Program) Forecasts() []scenario.Forecast {
	r := p.Report()
	if r.LastPoll == nil {
		return nil
	}
	var out []scenario.Forecast
	for _, pair := range r.Pairs {
		f := scenario.Forecast{
			Pair:   scenario.Pair{Group: pair.Group, Topic: pair.Topic},
			MadeAt: r.LastPoll.Time(), State: pair.State, Reason: pair.Reason, Lost: pair.Lost,
			Loss: p.when(pair.Loss), Earliest: p.when(pair.Earliest), Latest: p.when(pair.Latest),
			Stopped: p.when(pair.Stopped), Floor: p.when(pair.Floor),
		}
		if pair.Position != nil {
			f.Position, f.HasPosition = *pair.Position, true
		}
		out = append(out, f)
	}
	return out
}

// Report reads the page of forecasts; the zero Report while nobody answers.
func (p *Program) Report() (r Report) {
	body, ok := p.Get("/api/v1/forecasts")
	if !ok {
		return r
	}
	if err := json.Unmarshal(body, &r); err != nil {
		p.t.Fatalf("read forecasts: %v", err)
	}
	return r
}

// when reads an instant as the API writes it: null, "+Inf" or an object.
func (p *Program) when(raw json.RawMessage) scenario.When {
	var at *Instant
	switch text := string(raw); text {
	case "", "null":
		return scenario.When{}
	case `"+Inf"`:
		return scenario.Never()
	}
	if err := json.Unmarshal(raw, &at); err != nil || at == nil {
		p.t.Fatalf("read an instant from %s: %v", raw, err)
	}
	return scenario.At(at.Time())
}
