package model_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

func TestParseRelease(t *testing.T) {
	for text, want := range map[string]model.Release{
		"4.4":      {Major: 4, Minor: 4},
		"3.9":      {Major: 3, Minor: 9},
		"3.9.1":    {Major: 3, Minor: 9},
		"2.8-IV1":  {Major: 2, Minor: 8},
		" 4.10.0 ": {Major: 4, Minor: 10},
	} {
		if got, err := model.ParseRelease(text); err != nil || got != want {
			t.Errorf("%q is %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "4", "4.", "v4.1", "x.1", "4.x", "-1.2"} {
		if got, err := model.ParseRelease(text); err == nil {
			t.Errorf("%q is %v, want an error", text, got)
		}
	}
}

func TestReleaseOrder(t *testing.T) {
	r := model.Release{Major: 3, Minor: 9}
	for _, c := range []struct {
		major, minor int
		before       bool
	}{{4, 0, true}, {3, 10, true}, {3, 9, false}, {3, 8, false}, {2, 12, false}} {
		if got := r.Before(c.major, c.minor); got != c.before {
			t.Errorf("3.9 before %d.%d is %t", c.major, c.minor, got)
		}
	}
	if newest.Known() || newest.Before(9, 9) || newest.String() != "unknown" || r.String() != "3.9" {
		t.Error("an unknown release is not taken for the newest")
	}
}

func TestMinimaByRelease(t *testing.T) {
	for _, c := range []struct {
		release       model.Release
		topic, broker model.Bytes
		emptyPolicy   bool
	}{
		{model.Release{Major: 3, Minor: 9}, 14, 14, false},
		{release(0), 14, mib, false},
		{release(1), mib, mib, false},
		{release(2), mib, mib, true},
		{newest, mib, mib, true},
	} {
		t.Run(c.release.String(), func(t *testing.T) {
			if got := c.release.MinTopicSegmentBytes(); got != c.topic {
				t.Errorf("topic minimum %d, want %d", got, c.topic)
			}
			if got := c.release.MinBrokerSegmentBytes(); got != c.broker {
				t.Errorf("broker minimum %d, want %d", got, c.broker)
			}
			if got := c.release.EmptyPolicyIsLegal(); got != c.emptyPolicy {
				t.Errorf("empty policy legal %t", got)
			}
		})
	}
}
