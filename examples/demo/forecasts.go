package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"kafka-retention-exporter/model"
)

// pair is what the demo reads of /api/v1/forecasts.
type pair struct {
	Group    string   `json:"consumergroup"`
	State    *string  `json:"state"`
	Reason   *string  `json:"reason"`
	Rule     *string  `json:"rule"`
	Position *int64   `json:"committed_offset"`
	Loss     *instant `json:"loss"`
	Lost     int64    `json:"lost_records_total"`
}

// instant is an instant as the JSON has it: an object, or the string +Inf.
type instant struct{ model.Instant }

// UnmarshalJSON reads either form.
func (i *instant) UnmarshalJSON(raw []byte) error {
	var word string
	if json.Unmarshal(raw, &word) == nil {
		if word != "+Inf" {
			return fmt.Errorf("read instant: unknown word %q", word)
		}
		i.Instant = model.Forever
		return nil
	}
	var at struct{ Unix float64 }
	if err := json.Unmarshal(raw, &at); err != nil {
		return err
	}
	i.Instant = model.Instant(at.Unix*1000 + 0.5)
	return nil
}

func (p pair) lost() bool { return p.State != nil && *p.State == "lost" }

// ask reads the forecasts of the moment.
func ask(ctx context.Context, url string) ([]pair, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // all of it has been read
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("read forecasts: %s", response.Status)
	}
	var report struct{ Pairs []pair }
	if err := json.NewDecoder(response.Body).Decode(&report); err != nil {
		return nil, fmt.Errorf("read forecasts: %w", err)
	}
	return report.Pairs, nil
}
