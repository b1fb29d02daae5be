package report

import (
	"testing"

	"kafka-retention-exporter/predictor/backtest/score"
)

func TestVerdict(t *testing.T) {
	f := func(v float64) score.Figure { return score.Figure{Value: v, Low: v, High: v, N: 1} }
	small := target{acceptable: limit(0.2), extraordinary: limit(0.1)}
	large := target{acceptable: limit(0.9), extraordinary: limit(0.99), more: true}
	ranged := target{acceptable: between(0.85, 0.96), extraordinary: between(0.88, 0.93)}
	for _, c := range []struct {
		what   string
		target target
		own    score.Figure
		oracle score.Figure
		want   string
	}{
		{"below both", small, f(0.1), score.Figure{}, "extraordinary"},
		{"between", small, f(0.101), score.Figure{}, "acceptable"},
		{"between, as the oracle nearly", small, f(0.12), f(0.1), "at the oracle's ceiling"},
		{"between, the oracle is better", small, f(0.13), f(0.1), "acceptable"},
		{"beyond both", small, f(0.201), score.Figure{}, "**no**"},
		{"beyond both, as the oracle", small, f(0.201), f(0.2), "**no**"},
		{"nothing", small, score.Figure{}, f(0.1), "not measured"},
		{"above both", large, f(0.99), f(1), "extraordinary"},
		{"above one", large, f(0.98), f(1), "acceptable"},
		{"above one, as the oracle nearly", large, f(0.976), f(0.98), "at the oracle's ceiling"},
		{"above neither", large, f(0.89), f(1), "**no**"},
		{"in the range", ranged, f(0.88), score.Figure{}, "extraordinary"},
		{"in the wider one", ranged, f(0.95), score.Figure{}, "acceptable"},
		{"above the range", ranged, f(0.97), score.Figure{}, "**no**"},
		{"below the range", ranged, f(0.84), score.Figure{}, "**no**"},
		{"only one goal", target{extraordinary: limit(0.6)}, f(0.7), score.Figure{}, "acceptable"},
	} {
		if got := (line{target: c.target, own: c.own, oracle: c.oracle}).verdict(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{percent(0), "0 %"}, {percent(1), "100 %"}, {percent(0.1234), "12.3 %"}, {percent(0.01234), "1.23 %"},
		{percent(0.000123), "0.012 %"}, {percent(0.99456), "99.46 %"}, {percent(2.5), "250 %"}, {percent(8.4952), "850 %"}, {percent(-0.5), "-50 %"}, {percent(1e9), "unlimited"},
		{relative(9.99), "never"}, {relative(0.5), "50 %"}, {hours(1), "24 h"}, {hours(0.15), "3.6 h"}, {checks(0.25), "75 s"},
		{number(0.12345), "0.123"}, {number(3), "3"}, {micros(0.0051), "5.1 µs"},
		{format(percent).limits(score.Figure{Value: 0.5, Low: 0.4, High: 0.6, N: 3}), "50 % (40 to 60 %)"},
		{format(relative).limits(score.Figure{Value: 0.5, Low: 0.4, High: 9.99, N: 3}), "50 % (40 % to never)"},
		{format(percent).limits(score.Figure{}), "-"}, {format(number).value(score.Figure{}), "-"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
