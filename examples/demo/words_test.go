package main

import (
	"encoding/json"
	"testing"
	"time"

	"kafka-retention-exporter/model"
)

func TestGroupsAreDescribedInWords(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	for _, c := range []struct{ name, json, state, left, future string }{
		{
			"nothing known", `{"reason":"not_enough_history"}`,
			"not told yet", "unknown", "no forecast yet: not enough history",
		},
		{
			"no loss", `{"state":"caught_up","committed_offset":7,"loss":"+Inf"}`,
			"caught up", "no end", "no loss in sight",
		},
		{
			"loss ahead", `{"state":"progressing","committed_offset":7,"rule":"time","loss":{"unix":1700000083.4}}`,
			"progressing", "1 min 23 s", clock(1_700_000_083_400) + ": retention by time deletes what it has not read",
		},
		{
			"loss near", `{"state":"stalled","committed_offset":7,"loss":{"unix":1700000009}}`,
			"stalled", "9 s", clock(1_700_000_009_000) + ": retention deletes what it has not read",
		},
		{
			"overdue", `{"state":"stalled","committed_offset":7,"rule":"size","loss":{"unix":1699999999}}`,
			"stalled", "any moment", clock(1_699_999_999_000) + ": retention by size deletes what it has not read",
		},
		{
			"lost", `{"state":"lost","committed_offset":7,"loss":{"unix":1699999999}}`,
			"lost", "none", "records that it has not read are gone",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p pair
			if err := json.Unmarshal([]byte(c.json), &p); err != nil {
				t.Fatal(err)
			}
			if got := [3]string{p.state(), p.left(now), p.future()}; got != [3]string{c.state, c.left, c.future} {
				t.Errorf("have %q, want %q", got, [3]string{c.state, c.left, c.future})
			}
		})
	}
}

func TestLossIsHeldAgainstTheForecastHalfAMinuteBefore(t *testing.T) {
	const at = model.Instant(1_700_000_100_000)
	for _, c := range []struct {
		name string
		said []saying
		want string
	}{
		{"seen too late", []saying{{at - 29_000, &instant{at}}}, ", less than 30 s after it was first seen"},
		{"not told", []saying{{at - 31_000, nil}, {at - 29_000, &instant{at}}}, ", 30 s earlier there was no forecast yet"},
		{"not foreseen", []saying{{at - 30_000, &instant{model.Forever}}}, ", forecast 30 s earlier saw no loss"},
		{
			"foreseen", []saying{{at - 40_000, &instant{at}}, {at - 30_500, &instant{at - 800}}, {at - 29_500, &instant{at}}},
			", forecast 30 s earlier said " + clock(at-800) + " (off by 0.8 s)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := watch{said: map[string][]saying{"exports": c.said}}
			if got, want := w.verdict("exports", at), "lost at "+clock(at)+c.want; got != want {
				t.Errorf("have %q, want %q", got, want)
			}
		})
	}
}
