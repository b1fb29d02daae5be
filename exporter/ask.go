package exporter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/model"
)

// DefaultHorizon is within what time a loss counts as a risk, and DefaultFactor how many times the
// largest lag is safe, where a request does not say.
const (
	DefaultHorizon = 24 * time.Hour
	DefaultFactor  = 2.0
)

// question answers what a request's query asks.
type question func(ctx context.Context, v *view, query url.Values) (any, error)

// asked serves an answer to the question in a request's query; a question that makes no sense is
// answered with 400 and the reason.
func (h *handler) asked(answer question) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		out, err := answer(req.Context(), h.runtime.view(), req.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false) // command lines are to be copied
		_ = encoder.Encode(out)      // the client has gone: nobody is left to be told
	}
}

// check answers what is at risk.
func (h *handler) check(_ context.Context, v *view, query url.Values) (any, error) {
	within := DefaultHorizon
	if text := query.Get("within"); text != "" {
		var err error
		if within, err = time.ParseDuration(text); err != nil {
			return nil, fmt.Errorf("read within: %w", err)
		}
	}
	return answers.NewCheck(v.snapshot, v.reportNow(), v.findings, model.MillisOf(within)), nil
}

// whatIf answers what a change would delete.
func (h *handler) whatIf(ctx context.Context, v *view, query url.Values) (any, error) {
	topic := query.Get("topic")
	if topic == "" {
		return nil, errors.New("topic is missing")
	}
	changes, err := changesOf(query)
	if err != nil {
		return nil, err
	}
	factor, err := positive(query, "factor", DefaultFactor)
	if err != nil {
		return nil, err
	}
	q := advice.Question{Topic: topic, Changes: changes, Factor: factor}
	now := h.runtime.now()
	var outcome advice.Outcome
	if v.reportNow() == nil {
		outcome = advice.WhatIf(q, nil, now)
	} else {
		q.Seen, q.Replicas, q.Release = v.lags[topic], advice.ReplicasOf(v.snapshot, topic), advice.ReleasesOf(v.snapshot)
		h.runtime.study(ctx, topic, changes, now)
		outcome = advice.WhatIf(q, h.runtime.predictor.Logs(topic, now), now)
	}
	return answers.NewWhatIf([]advice.Outcome{outcome}, factor), nil
}

// study asks the leaders what decides about a change: where the topic's segments begin, as far as
// that is not known yet, and which record is the first that stays. It is the only request of ours
// that waits for brokers, with ListOffsets to the leaders of one topic, for one request at a time
// and a few seconds at most. What stays open the outcome calls unsure.
func (r *Runtime) study(ctx context.Context, topic string, changes []advice.Change, now model.Instant) {
	r.asking.Lock()
	defer r.asking.Unlock()
	ctx, cancel := context.WithTimeout(ctx, minDeadline)
	defer cancel()
	for q := r.predictor.Study(topic); len(q) > 0 && r.learn(ctx, q); {
		q = r.predictor.Study(topic)
	}
	r.learn(ctx, advice.Cutoffs(changes, r.predictor.Logs(topic, now)))
}

// learn asks questions and learns the answers; false where there are none.
func (r *Runtime) learn(ctx context.Context, questions []model.TimeQuestion) bool {
	if ctx.Err() != nil || len(questions) == 0 {
		return false
	}
	got, _ := r.source.RecordTimes(ctx, r.now, questions) // the loop tells of what cannot be read
	r.predictor.Learn(got)
	return len(got) > 0
}

// plan answers what logs need.
func (h *handler) plan(_ context.Context, v *view, query url.Values) (any, error) {
	changes, err := changesOf(query)
	if err != nil {
		return nil, err
	}
	var rate model.Maybe[float64]
	if query.Has("rate") {
		given, err := positive(query, "rate", 0)
		if err != nil {
			return nil, err
		}
		rate = model.Known(given)
	}
	topic := query.Get("topic")
	return answers.NewPlan(advice.Plan(v.snapshot, v.reportNow(), topic, rate, changes, h.runtime.now()), topic != ""), nil
}

func changesOf(query url.Values) (changes []advice.Change, err error) {
	for _, text := range query["set"] {
		c, err := advice.ParseChange(text)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

func positive(query url.Values, name string, byDefault float64) (float64, error) {
	text := query.Get(name)
	if text == "" {
		return byDefault, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0) || n > 1e18 {
		return 0, fmt.Errorf("read %s: want a positive number (got %q)", name, text)
	}
	return n, nil
}
