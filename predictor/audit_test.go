package predictor_test

import (
	"testing"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// TestAuditAgainstTheModel plays retention for a while: what was told is scored, whichever rule
// deletes, and no floor was late.
func TestAuditAgainstTheModel(t *testing.T) {
	for _, c := range []struct {
		name   string
		world  world
		scored int64
	}{
		{"time", world{settings: settings(120_000, -1, 12_000), produce: steadily(100, 1)}, 150},
		{"time, batches", world{settings: settings(120_000, -1, 12_000), produce: steadily(500, 7)}, 150},
		{"size", world{settings: settings(-1, 200_000, 12_000), produce: steadily(100, 1)}, 150},
		{"both, size first", world{settings: settings(240_000, 200_000, 12_000), produce: steadily(100, 1)}, 150},
		{"idle producer", world{settings: settings(60_000, -1, 6000), produce: until(epoch+50_000, steadily(100, 1))}, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := c.world
			w.t, w.check, w.poll, w.phase, w.moves = t, 1000, 1000, 300, paced(100, 1000)
			w.run(900_000)
			a := w.pred.Report(w.now).Audit
			for _, cause := range predictor.Causes() {
				if n := a.Violations[cause]; n > 0 {
					t.Errorf("%d floors were late: %v", n, cause)
				}
			}
			if a.Deadlines < c.scored || a.BandHits*100 < a.Deadlines*88 {
				t.Errorf("of %d deadlines %d came within the band, want %d or more and 88 of 100", a.Deadlines, a.BandHits, c.scored)
			}
			if median, ok := a.Recent.Median.Get(); !ok || median > 500 || a.Recent.Late > 0 || a.Recent.Scored != int(a.Deadlines) {
				t.Errorf("of the last %d deadlines %d floors were late, median error %v", a.Recent.Scored, a.Recent.Late, a.Recent.Median)
			}
			if n := a.Errors.Counts[len(a.Errors.Counts)-1]; a.Errors.All != a.Deadlines || n != a.Deadlines {
				t.Errorf("%d errors, %d of them in buckets, of %d deadlines", a.Errors.All, n, a.Deadlines)
			}
		})
	}
}

// aged is a log of one record a second, in segments of five minutes (broker.md 5.1: a segment takes
// records up to segment.ms after its first), that is kept for an hour.
func aged(t *testing.T, s model.Settings) *scene {
	sc := newSceneAt(t, s, 10*second)
	sc.check = 10 * second
	return sc
}

const perSegment = 301

// retain sets the edges as a broker that keeps records for so long would have them at t.
func (s *scene) retain(t, age model.Millis) {
	s.end = model.Offset(t / second)
	if expired := model.Offset((t - age) / second); expired > 0 {
		s.start = max(s.start, expired/perSegment*perSegment)
	}
}

// TestLateFloorsAndTheirCauses deletes records before the instant that was promised.
func TestLateFloorsAndTheirCauses(t *testing.T) {
	hourly := settings(hour, -1, 5*minute)
	led := func(leader model.BrokerID, epoch int32, isr ...model.BrokerID) func(*model.Snapshot) {
		return func(s *model.Snapshot) {
			p := s.Partitions[key]
			p.Leader, p.LeaderEpoch, p.ISR = leader, epoch, isr
			s.Partitions[key] = p
			set := s.Topics["t"].Settings
			set[leader] = set[1]
			s.Brokers[leader] = model.Broker{ID: leader, Up: true, Settings: s.Brokers[1].Settings}
		}
	}
	for _, c := range []struct {
		name     string
		settings model.Settings
		event    func(s *scene)
		want     predictor.Cause
	}{
		{"nothing that is known", hourly, func(*scene) {}, predictor.Unexplained},
		{"DeleteRecords", hourly, func(s *scene) { s.start += 120 }, predictor.RecordsDeleted},
		{"DeleteRecords of everything", hourly, func(s *scene) { s.start = s.end }, predictor.RecordsDeleted},
		{"retention lowered", hourly, func(s *scene) { s.settings.RetentionMs = 10 * minute }, predictor.ConfigChanged},
		{"another leader", hourly, func(s *scene) { s.change = led(2, 1, 1, 2) }, predictor.Failover},
		{"a leader out of sync", hourly, func(s *scene) { s.change = led(3, 1, 3) }, predictor.UncleanElection},
		{"a log cut short", hourly, func(s *scene) { s.end -= 50 }, predictor.UncleanElection},
		{"the leader loaded its log anew", hourly, func(s *scene) { s.change = led(1, 2, 1, 2) }, predictor.DamagedIndex},
		{"compaction", compacted(hourly), func(*scene) {}, predictor.Compaction},
		{"more bytes than the ceiling", settings(-1, 100*3600, 5*minute), func(s *scene) { s.end += 20_000; s.start = s.end - 3600 }, predictor.ProduceCeiling},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := aged(t, c.settings)
			s.change = led(1, 0, 1, 2)
			s.during(0, 3*hour, func(now model.Millis) { s.retain(now, hour) })
			before := s.report.Audit
			s.retain(3*hour+10*second, hour)
			s.start += 8 * perSegment
			c.event(s)
			s.at(3*hour + 10*second)
			s.at(3*hour + 20*second)
			late := int64(0)
			for _, cause := range predictor.Causes() {
				if n := before.Violations[cause]; n > 0 {
					t.Errorf("%d floors were late before anything had happened: %v", n, cause)
				}
				n := s.report.Audit.Violations[cause]
				if late += n; n > 0 && cause != c.want {
					t.Errorf("%d floors were late for %v, want %v", n, cause, c.want)
				}
			}
			if late == 0 {
				t.Error("no late floor was noticed")
			}
		})
	}
}

func compacted(s model.Settings) model.Settings {
	s.Policy = model.PolicyCompactDelete
	return s
}

// TestRecordStampedLongAgo reaches an empty log and is deleted at once: the floor of an empty log is
// told for records that are stamped when they come.
func TestRecordStampedLongAgo(t *testing.T) {
	s := aged(t, settings(hour, -1, 5*minute))
	s.start, s.end = 100, 100
	s.during(0, 10*minute, func(model.Millis) {})
	s.start, s.end = 101, 101
	s.during(10*minute+10*second, 11*minute, func(model.Millis) {})
	if a := s.report.Audit; a.Violations[predictor.BackDated] != 1 || a.Deadlines != 0 {
		t.Errorf("%d floors were late for a back-dated record, want 1, and %d deadlines scored, want 0", a.Violations[predictor.BackDated], a.Deadlines)
	}
}

// TestForecastsForOtherSettingsAreNotScored: what was told before retention was raised is no
// forecast of what happens after it.
func TestForecastsForOtherSettingsAreNotScored(t *testing.T) {
	s := aged(t, settings(hour, -1, 5*minute))
	s.during(0, 3*hour, func(now model.Millis) { s.retain(now, hour) })
	before := s.report.Audit
	s.settings.RetentionMs = 2 * hour
	s.during(3*hour+10*second, 4*hour, func(now model.Millis) { s.retain(now, 2*hour) })
	s.during(4*hour, 6*hour, func(now model.Millis) { s.retain(now, 2*hour) })
	a := s.report.Audit
	if far := a.Errors.All - a.Errors.Counts[8]; before.Deadlines == 0 || a.Deadlines == before.Deadlines || far > 0 {
		t.Errorf("%d deadlines were scored before the change and %d after it, %d of them off by more than a minute", before.Deadlines, a.Deadlines-before.Deadlines, far)
	}
}
