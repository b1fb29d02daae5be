package advice_test

import (
	"strings"
	"testing"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
)

// TestFindings bends the calm cluster so that one thing is wrong, and cures it as the finding says.
func TestFindings(t *testing.T) {
	for _, c := range []struct {
		kind advice.Kind
		name string
		bend func(*cluster)
		cure string // part of the first cure
	}{
		{advice.InertRetention, "compact only", func(c *cluster) { c.both(func(s *model.Settings) { s.Policy = model.PolicyCompact }) }, "'cleanup.policy=[compact,delete]'"},
		{advice.InertRetention, "empty policy", func(c *cluster) { c.both(func(s *model.Settings) { s.Policy = model.PolicyNone }) }, "'cleanup.policy=delete'"},
		{advice.OutlivesRetention, "segment.ms of a month", func(c *cluster) { c.both(func(s *model.Settings) { s.SegmentMs = 30 * day }) }, "'segment.ms=21600000'"},
		{advice.OutlivesRetention, "large segments", func(c *cluster) {
			c.both(func(s *model.Settings) { s.SegmentMs, s.SegmentBytes = 30*day, 200*mib }) // 200 MiB at 1000 B/s are 58 h
		}, "'segment.ms=21600000'"},
		{advice.FutureStamp, "a week ahead", func(c *cluster) {
			c.outlook.Blocker = model.Known(model.Stamped{Offset: 300, Stamp: noon.Add(7 * day), Found: true})
			c.outlook.Behind = model.Known(model.Offset(350))
		}, `"offset":350`},
		{advice.FutureStamp, "in the active segment", func(c *cluster) {
			c.outlook.Blocker = model.Known(model.Stamped{Offset: 300, Stamp: noon.Add(7 * day), Found: true})
		}, "'segment.ms=1000' #"},
		{advice.BrokersDisagree, "another default", func(c *cluster) {
			c.both(func(s *model.Settings) { s.RetentionMsSource = model.SourceStatic })
			c.settings[1].RetentionMs = hour
		}, "'retention.ms=86400000'"},
		{advice.BrokersDisagree, "another default in bytes", func(c *cluster) {
			c.settings[0].RetentionBytes, c.settings[1].RetentionBytes = 10*gib, 20*gib
			c.both(func(s *model.Settings) { s.RetentionBytesSource = model.SourceStatic })
		}, "retention.bytes=21474836480'"},
		{advice.BrokerDefault, "a default", func(c *cluster) { c.both(func(s *model.Settings) { s.RetentionMsSource = model.SourceDefault }) }, "'retention.ms=86400000'"},
		{advice.RetentionShort, "in time", func(c *cluster) { c.pairs[0].NextStamp = model.Known(noon.Add(-13 * hour)) }, "'retention.ms=140400000'"},
		{advice.RetentionShort, "in bytes", func(c *cluster) {
			c.both(func(s *model.Settings) { s.RetentionBytes = gib })
			c.pairs[0].Inputs.BytesUnread = model.Known(700 * mib)
		}, "'retention.bytes=2202009600'"},
		{advice.BytesExceedVolume, "beyond the disk", func(c *cluster) { c.both(func(s *model.Settings) { s.RetentionBytes = 200 * gib }) }, "'retention.bytes="},
		{advice.ActiveExceedsCap, "already", func(c *cluster) {
			c.both(func(s *model.Settings) { s.RetentionBytes = 100 * mib })
			c.outlook.Active = model.Known(150 * mib)
		}, "'segment.bytes=26214400'"},
		{advice.ActiveExceedsCap, "before it rolls", func(c *cluster) {
			c.both(func(s *model.Settings) { s.RetentionBytes = 3 * mib }) // 1000 B/s make 3.4 MiB an hour
		}, "'segment.bytes=1048576'"},
		{advice.OldStamps, "seen to come", func(c *cluster) {
			c.outlook.Rose, c.outlook.Newest = model.Known(noon), model.Known(noon.Add(-2*day))
		}, "'retention.ms=432000000'"},
		{advice.OldStamps, "there after a pass", func(c *cluster) { c.outlook.Newest = model.Known(noon.Add(-2 * day)) }, "'retention.ms="},
		{advice.ReplicaAhead, "follower", func(c *cluster) { c.part.FollowerLogStart[2] = model.ReadAt(model.Offset(500), noon) }, "'retention.ms=86400000'"},
		{advice.NotApplied, "the default is still in force", func(c *cluster) {
			c.settings[1].RetentionMs, c.settings[1].RetentionMsSource = hour, model.SourceDefault
		}, "restart that broker"},
		{advice.NotApplied, "an older value is still in force", func(c *cluster) { c.settings[1].RetentionMs = hour }, "HOST_OF_BROKER_2"},
		{advice.Uncovered, "nobody", func(c *cluster) { c.groups = nil; c.pairs = nil }, "--reset-offsets"},
		{advice.Uncovered, "a stale source that reads something else", func(c *cluster) {
			job := model.Group{Name: "job", Kind: model.KindExternal, OffsetsRead: model.ReadAt(struct{}{}, noon)}
			c.groups, c.pairs = map[string]model.Group{"job": job}, nil
			c.problems = []model.Problem{{Stage: model.StageOffsets, Group: "job"}}
		}, "--reset-offsets"},
		{advice.BrokerUnverified, "settings of another make", func(c *cluster) { c.sign = "redpanda.remote.read" }, "--assume.apache-retention"},
		{advice.FilesDisagree, "begins beyond", func(c *cluster) {
			c.files = model.LocalBroker{ID: 1, Replicas: differing(model.Difference{Of: model.DifferingStart, Files: 500, Told: 100})}
		}, "--log.dirs"},
		{advice.FilesDisagree, "another size", func(c *cluster) {
			c.files = model.LocalBroker{ID: 1, Replicas: differing(model.Difference{Of: model.DifferingSize, Files: 5, Told: 9})}
		}, "--log.dirs"},
		{advice.ReplicaAhead, "by the follower's own files", func(c *cluster) {
			c.files = model.LocalBroker{ID: 2, Replicas: differing(model.Difference{Of: model.DifferingStart, Files: 500, Told: 100})}
		}, "'retention.ms=86400000'"},
	} {
		t.Run(c.kind.String()+"/"+c.name, func(t *testing.T) {
			bent := calm()
			c.bend(bent)
			found := false
			for _, f := range bent.findings(nil) {
				if f.Kind != c.kind {
					if c.kind != advice.RetentionShort && c.kind != advice.BytesExceedVolume && c.kind != advice.BrokersDisagree && c.kind != advice.ActiveExceedsCap && c.kind != advice.InertRetention {
						t.Errorf("also %+v", f)
					}
					continue
				}
				found = true
				if f.Topic != "t" || f.Evidence == "" || f.Consequence == "" || len(f.Cure) == 0 || !strings.Contains(f.Cure[0], c.cure) {
					t.Errorf("%+v, want a cure with %s", f, c.cure)
				}
			}
			if !found {
				t.Errorf("not found in %+v", bent.findings(nil))
			}
		})
	}
}

func TestNoFindingWithoutItsInputs(t *testing.T) {
	for name, bend := range map[string]func(*cluster){
		"groups could not be read": func(c *cluster) { c.groups = nil; c.problems = []model.Problem{{Stage: model.StageOffsets}} },
		"a group refuses": func(c *cluster) {
			c.groups = map[string]model.Group{"x": {Name: "x", Refused: "GROUP_AUTHORIZATION_FAILED"}}
		},
		"positions kept elsewhere count as readers": func(c *cluster) {
			c.groups["g"] = model.Group{Name: "g", Kind: model.KindExternal, OffsetsRead: model.ReadAt(struct{}{}, noon), Offsets: c.groups["g"].Offsets}
		},
		"a source was never read": func(c *cluster) {
			c.groups, c.pairs = map[string]model.Group{"job": {Name: "job", Kind: model.KindExternal}}, nil
			c.problems = []model.Problem{{Stage: model.StageOffsets, Group: "job"}}
		},
		"the other broker has been silent":  func(c *cluster) { c.settings[1] = model.DefaultSettings() },
		"the stamp of the newest is open":   func(c *cluster) { c.outlook.Newest = model.Maybe[model.Instant]{} },
		"the follower's start was not read": func(c *cluster) { c.part.FollowerLogStart = nil },
		"the active segment is not known": func(c *cluster) {
			c.both(func(s *model.Settings) { s.RetentionBytes = 3 * mib })
			c.outlook.Active = model.Maybe[model.Bytes]{}
			c.pairs = nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := calm()
			bend(c)
			s := c.snapshot()
			if name == "the other broker has been silent" {
				s.Topics["t"].Settings[2] = model.ReadAt(c.settings[1], noon.Add(-hour))
			}
			if f := advice.Findings(s, c.report(), nil, noon); len(f) > 0 {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestTheLargestLagIsRemembered(t *testing.T) {
	c := calm()
	c.pairs[0].NextStamp = model.Known(noon.Add(-20 * hour))
	lags := advice.Lags{}.With(c.snapshot(), c.report())
	c.pairs[0].NextStamp = model.Maybe[model.Instant]{} // it has caught up
	f := c.findings(lags)
	if len(f) != 1 || f[0].Kind != advice.RetentionShort || !strings.Contains(f[0].Evidence, "20 h behind") {
		t.Errorf("%+v", f)
	}
}

func TestLagsOfATopicGoWithIt(t *testing.T) {
	c := calm()
	c.pairs[0].NextStamp = model.Known(noon.Add(-20 * hour))
	s, report := c.snapshot(), c.report()
	lags := advice.Lags{}.With(s, report)
	if len(lags) != 1 {
		t.Fatalf("%+v", lags)
	}
	delete(s.Topics, "t")
	report.Pairs = nil
	if after := lags.With(s, report); len(after) != 0 {
		t.Errorf("kept %+v", after)
	}
}

func TestEveryKindHasAWord(t *testing.T) {
	words := map[string]bool{}
	for _, k := range advice.Kinds() {
		words[k.String()] = true
	}
	if len(words) != 14 || words["invalid(0)"] {
		t.Errorf("words %v", words)
	}
}

// The task that expires remote segments never looks at cleanup.policy: on a tiered topic the
// empty policy makes nothing inert.
func TestTheEmptyPolicyIsNotInertOnATieredTopic(t *testing.T) {
	c := calm()
	c.both(func(s *model.Settings) { s.Policy, s.Tiered = model.PolicyNone, true })
	for _, f := range c.findings(nil) {
		if f.Kind == advice.InertRetention {
			t.Errorf("found %+v", f)
		}
	}
}
