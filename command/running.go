package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"kafka-retention-exporter/answers"
)

// patience bounds one question to a running exporter.
const patience = 30 * time.Second

// Running is an exporter that runs somewhere.
type Running struct{ base *url.URL }

// Ask makes a Running of its address, like http://localhost:10059.
func Ask(address string) (Running, error) {
	base, err := url.Parse(address)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return Running{}, fmt.Errorf("from: want a URL like http://localhost:10059 (got %q)", address)
	}
	return Running{base}, nil
}

// Check answers what is at risk.
func (r Running) Check(ctx context.Context, within time.Duration) (out answers.Check, err error) {
	return out, r.get(ctx, "check", url.Values{"within": {within.String()}}, &out)
}

// WhatIf answers what changes would delete.
func (r Running) WhatIf(ctx context.Context, trials []Trial, factor float64) (answers.WhatIf, error) {
	var all answers.WhatIf
	for _, t := range trials {
		query := url.Values{"topic": {t.Topic}, "factor": {strconv.FormatFloat(factor, 'g', -1, 64)}}
		for _, c := range t.Changes {
			query.Add("set", c.String())
		}
		var one answers.WhatIf
		if err := r.get(ctx, "whatif", query, &one); err != nil {
			return all, err
		}
		all = all.With(one)
	}
	return all, nil
}

// Plan answers what logs need. A topic of "" is all of them, a rate of 0 is what is seen.
func (r Running) Plan(ctx context.Context, topic string, rate float64, settings []string) (out answers.Plan, err error) {
	query := url.Values{"set": settings}
	if topic != "" {
		query.Set("topic", topic)
	}
	if rate != 0 {
		query.Set("rate", strconv.FormatFloat(rate, 'g', -1, 64))
	}
	return out, r.get(ctx, "plan", query, &out)
}

func (r Running) get(ctx context.Context, question string, query url.Values, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	address := r.base.JoinPath("api/v1", question)
	address.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return fmt.Errorf("ask exporter: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("ask exporter: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 1000)) // only to say why
		return fmt.Errorf("ask exporter: %s: %s", res.Status, strings.TrimSpace(string(text)))
	}
	if err := json.NewDecoder(res.Body).Decode(answer); err != nil {
		return fmt.Errorf("read the exporter's answer: %w", err)
	}
	return nil
}
