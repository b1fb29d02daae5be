package model_test

import (
	"slices"
	"testing"

	"kafka-retention-exporter/model"
)

// The worked cases of the broker's retention pass by their numbers, as single passes over
// given segments. Those that need a history are in cases_log_test.go.

func seg(base model.Offset, size model.Bytes, largest model.Instant) model.Segment {
	return model.Segment{Base: base, Size: size, Largest: largest, Stamped: true}
}

// unstamped is a segment whose file was last written at modTime.
func unstamped(base model.Offset, size model.Bytes, modTime model.Instant) model.Segment {
	return model.Segment{Base: base, Size: size, ModTime: modTime}
}

func segmentsA() []model.Segment {
	return []model.Segment{seg(0, 100, 5000), seg(10, 100, 6000), seg(20, 50, 7000)}
}

func segmentsB() []model.Segment {
	return []model.Segment{seg(0, 100, 9000), seg(10, 100, 1000), seg(20, 50, 1000)}
}

// sized are segments of the given sizes, ten offsets and one tick of stamp apart.
func sized(sizes ...model.Bytes) []model.Segment {
	var s []model.Segment
	for i, size := range sizes {
		s = append(s, seg(model.Offset(10*i), size, model.Instant(i)))
	}
	return s
}

func ms(d model.Millis) func(*model.Settings) { return func(s *model.Settings) { s.RetentionMs = d } }
func bytes(b model.Bytes) func(*model.Settings) {
	return func(s *model.Settings) { s.RetentionBytes = b }
}
func policy(p model.Policy) func(*model.Settings) { return func(s *model.Settings) { s.Policy = p } }

type change = func(*model.Settings)

// with are the default settings without any limit, changed.
func with(changes ...change) model.Settings {
	s := model.DefaultSettings()
	s.RetentionMs = -1
	for _, c := range changes {
		c(&s)
	}
	return s
}

var (
	newest = model.Release{}
	kafka2 = model.Release{Major: 2, Minor: 8}
)

const (
	kib = model.Bytes(1) << 10
	mib = kib << 10
	gib = mib << 10
	day = model.Millis(24 * 60 * 60 * 1000)
	far = model.Instant(1) << 50
)

type passCase struct {
	name     string
	segments []model.Segment
	end      model.Offset
	short    model.Offset // how far the high watermark is behind the end
	start    model.Offset // if above the first base
	settings model.Settings
	now      model.Instant
	release  model.Release

	deleted   int
	wantStart model.Offset
	roll      bool
}

func passCases() []passCase {
	a, b := segmentsA(), segmentsB()
	rms1000 := with(ms(1000))
	month := with(ms(7 * day))
	const t0, eightDays = model.Instant(1_700_000_000_000), model.Instant(8 * 24 * 60 * 60 * 1000)
	idempotency := []model.Segment{seg(0, 10, 1100), seg(1, 10, 1000), seg(2, 10, 1100)}
	return []passCase{
		{name: "case 01: age exactly at the limit stays", segments: a, end: 25, settings: rms1000, now: 6000},
		{name: "case 02: one millisecond more goes", segments: a, end: 25, settings: rms1000, now: 6001, deleted: 1, wantStart: 10},
		{name: "case 03: active exactly at the limit stays", segments: a, end: 25, settings: rms1000, now: 8000, deleted: 2, wantStart: 20},
		{name: "case 04: expired active is rolled and goes", segments: a, end: 25, settings: rms1000, now: 8001, deleted: 3, wantStart: 25, roll: true},
		{name: "case 05: active needs HW at the end", segments: a, end: 25, short: 1, settings: rms1000, now: 8001, deleted: 2, wantStart: 20},
		{name: "case 06: HW 19", segments: a, end: 25, short: 6, settings: rms1000, now: 8001, deleted: 1, wantStart: 10},
		{name: "case 07: HW 10", segments: a, end: 25, short: 15, settings: rms1000, now: 8001, deleted: 1, wantStart: 10},
		{name: "case 07: HW 9", segments: a, end: 25, short: 16, settings: rms1000, now: 8001},
		{name: "case 08: a future stamp blocks all behind it", segments: b, end: 25, settings: rms1000, now: 5000},
		{name: "case 09: size removes the blocker, time the rest", segments: b, end: 25, settings: with(ms(1000), bytes(150)), now: 5000, deleted: 3, wantStart: 25, roll: true},
		{name: "case 10: before 3.0 only the blocker goes", segments: b, end: 25, settings: with(ms(1000), bytes(150)), now: 5000, release: kafka2, deleted: 1, wantStart: 10},
		{name: "case 10: 3.0 does it in one pass", segments: b, end: 25, settings: with(ms(1000), bytes(150)), now: 5000, release: model.Release{Major: 3}, deleted: 3, wantStart: 25, roll: true},
		{name: "case 10: before 3.0, the next pass", segments: b[1:], end: 25, start: 10, settings: with(ms(1000), bytes(150)), now: 5000, release: kafka2, deleted: 2, wantStart: 25, roll: true},
		{name: "case 11: retention.ms=0, stamped now", segments: []model.Segment{seg(0, 50, 5000)}, end: 5, settings: with(ms(0)), now: 5000},
		{name: "case 11: retention.ms=0, a millisecond later", segments: []model.Segment{seg(0, 50, 5000)}, end: 5, settings: with(ms(0)), now: 5001, deleted: 1, wantStart: 5, roll: true},
		{name: "case 12: retention.ms=-1", segments: a, end: 25, settings: with(ms(-1)), now: far},
		{name: "case 13: file times where there are no stamps", segments: []model.Segment{unstamped(0, 100, 4000), unstamped(10, 50, 4999)}, end: 15, settings: rms1000, now: 5001, deleted: 1, wantStart: 10},
		{name: "case 14: a lost time index means file time, younger", segments: []model.Segment{unstamped(0, 100, 9000), a[1], a[2]}, end: 25, settings: rms1000, now: 8001},
		{name: "case 14: a lost time index means file time, older", segments: []model.Segment{unstamped(0, 100, 4000), a[1], a[2]}, end: 25, settings: rms1000, now: 5001, deleted: 1, wantStart: 10},
		{name: "case 15: the empty active segment stays", segments: []model.Segment{seg(0, 100, 1000), unstamped(10, 0, 0)}, end: 10, settings: rms1000, now: far, deleted: 1, wantStart: 10},
		{name: "case 16: an empty log never changes", segments: []model.Segment{unstamped(10, 0, 0)}, end: 10, start: 10, settings: with(ms(0), bytes(0)), now: far, wantStart: 10},
		{name: "case 17: a backfilled record alone goes at once", segments: []model.Segment{seg(0, 80, t0-eightDays)}, end: 1, settings: month, now: t0, deleted: 1, wantStart: 1, roll: true},
		{name: "case 18: a younger record keeps it", segments: []model.Segment{seg(0, 160, t0)}, end: 2, settings: month, now: t0 + 1},
		{name: "case 19: so does a transaction marker, 7 d after", segments: []model.Segment{seg(0, 160, t0)}, end: 2, settings: month, now: t0.Add(7 * day)},
		{name: "case 19: until 7 d and 1 ms after", segments: []model.Segment{seg(0, 160, t0)}, end: 2, settings: month, now: t0.Add(7*day + 1), deleted: 1, wantStart: 2, roll: true},
		{name: "case 20: a future stamp until stamp + retention", segments: []model.Segment{seg(0, 80, 3_600_000), seg(10, 80, 0)}, end: 12, settings: rms1000, now: 3_601_000},
		{name: "case 20: a future stamp after stamp + retention", segments: []model.Segment{seg(0, 80, 3_600_000), seg(10, 80, 0)}, end: 12, settings: rms1000, now: 3_601_001, deleted: 2, wantStart: 12, roll: true},
		{name: "case 21: one record, then silence, at 7 d", segments: []model.Segment{seg(0, 80, t0)}, end: 1, settings: month, now: t0.Add(7 * day)},
		{name: "case 21: one record, then silence, after 7 d", segments: []model.Segment{seg(0, 80, t0)}, end: 1, settings: month, now: t0.Add(7*day + 1), deleted: 1, wantStart: 1, roll: true},
		{name: "case 23: start and time in one pass", segments: idempotency, end: 3, start: 1, settings: with(ms(900)), now: 1901, deleted: 2, wantStart: 2},
		{name: "case 23: the second pass deletes nothing", segments: idempotency[2:], end: 3, start: 2, settings: with(ms(900)), now: 1901, wantStart: 2},
		{name: "case 24: before 3.0 one", segments: idempotency, end: 3, start: 1, settings: with(ms(900)), now: 1901, release: kafka2, deleted: 1, wantStart: 1},
		{name: "case 24: before 3.0 one more in the second pass", segments: idempotency[1:], end: 3, start: 1, settings: with(ms(900)), now: 1901, release: kafka2, deleted: 1, wantStart: 2},
		{name: "case 25: the start rule removes the blocker", segments: []model.Segment{seg(0, 100, 9000), seg(10, 100, 1000), seg(20, 50, 9000)}, end: 25, start: 12, settings: rms1000, now: 5000, deleted: 2, wantStart: 20},
		{name: "case 25: before 3.0 it only removes the blocker", segments: []model.Segment{seg(0, 100, 9000), seg(10, 100, 1000), seg(20, 50, 9000)}, end: 25, start: 12, settings: rms1000, now: 5000, release: kafka2, deleted: 1, wantStart: 12},
		{name: "case 26: an open transaction protects nothing", segments: a, end: 25, settings: rms1000, now: 8001, deleted: 3, wantStart: 25, roll: true},

		{name: "case 27: down to the last point at or above the cap", segments: sized(gib, gib, gib, gib/2), end: 35, settings: with(bytes(2 * gib)), now: far, deleted: 1, wantStart: 10},
		{name: "case 28: exactly the cap may remain", segments: sized(2*gib, 3*gib, 7*gib), end: 25, settings: with(bytes(10 * gib)), now: far, deleted: 1, wantStart: 10},
		{name: "case 29: the last one outlives a smaller cap", segments: sized(415, 415, 415, 415), end: 35, settings: with(bytes(300)), now: far, deleted: 3, wantStart: 30},
		{name: "case 30: cap at the total", segments: sized(100, 50), end: 15, settings: with(bytes(150)), now: far},
		{name: "case 30: cap at the bytes after", segments: sized(100, 50), end: 15, settings: with(bytes(50)), now: far, deleted: 1, wantStart: 10},
		{name: "case 30: cap one above the bytes after", segments: sized(100, 50), end: 15, settings: with(bytes(51)), now: far},
		{name: "case 31: cap 0 takes the active segment too", segments: a, end: 25, settings: with(bytes(0)), now: 1, deleted: 3, wantStart: 25, roll: true},
		{name: "case 32: cap 0, HW 24", segments: a, end: 25, short: 1, settings: with(bytes(0)), now: 1, deleted: 2, wantStart: 20},
		{name: "case 32: cap 0, HW 20", segments: a, end: 25, short: 5, settings: with(bytes(0)), now: 1, deleted: 2, wantStart: 20},
		{name: "case 33: cap 1 leaves the active segment", segments: a, end: 25, settings: with(bytes(1)), now: 1, deleted: 2, wantStart: 20},
		{name: "case 34: an oversize active segment stays", segments: sized(gib), end: 5, settings: with(bytes(100)), now: 1},
		{name: "case 35: a total above the cap is not enough", segments: sized(1000, 10, 10), end: 25, settings: with(bytes(500)), now: 1},
		{name: "case 36: cap at the closed bytes", segments: []model.Segment{seg(0, 100, 0), unstamped(10, 0, 0)}, end: 10, settings: with(bytes(100)), now: 1},
		{name: "case 36: cap 0 spares the empty active segment", segments: []model.Segment{seg(0, 100, 0), unstamped(10, 0, 0)}, end: 10, settings: with(bytes(0)), now: 1, deleted: 1, wantStart: 10},
		{name: "case 37: any negative cap is none", segments: a, end: 25, settings: with(bytes(-7)), now: far},
		{name: "case 38: 15 records, cap 10", segments: sized(50, 50, 50), end: 30, settings: with(bytes(100)), now: 1, deleted: 1, wantStart: 10},
		{name: "case 38: 15 records, cap 15", segments: sized(50, 50, 50), end: 30, settings: with(bytes(150)), now: 1},
		{name: "case 39: twenty tens, cap 51", segments: sized(slices.Repeat([]model.Bytes{10}, 20)...), end: 200, settings: with(bytes(51)), now: 1, deleted: 14, wantStart: 140},
		{name: "case 40: size, then time up to the next blocker", segments: []model.Segment{seg(0, 100, 9000), seg(10, 100, 100), seg(20, 100, 9000), seg(30, 100, 100), seg(40, 10, 9000)}, end: 45, settings: with(ms(1000), bytes(150)), now: 5000, deleted: 2, wantStart: 20},
		{name: "case 41: only log bytes count", segments: sized(mib), end: 5, settings: with(bytes(2 * mib)), now: 1},

		{name: "case 42: the pass after DeleteRecords(15)", segments: a, end: 25, start: 15, settings: with(), now: 1, deleted: 1, wantStart: 15},
		{name: "case 43: the pass after DeleteRecords(20)", segments: a, end: 25, start: 20, settings: with(), now: 1, deleted: 2, wantStart: 20},
		{name: "case 44: the pass after DeleteRecords(-1)", segments: a, end: 25, start: 25, settings: with(), now: 1, deleted: 2, wantStart: 25},
		{name: "case 48: limits are inert under compact", segments: a, end: 25, settings: with(policy(model.PolicyCompact), ms(1), bytes(0)), now: far},
		{name: "case 48: and under the empty policy", segments: a, end: 25, settings: with(policy(model.PolicyNone), ms(1), bytes(0)), now: far},
		{name: "case 49: compact,delete deletes", segments: a, end: 25, settings: with(policy(model.PolicyCompactDelete), ms(1000)), now: 8001, deleted: 3, wantStart: 25, roll: true},
		{name: "case 50: a follower keeps what straddles the leader's start", segments: []model.Segment{seg(0, 100, 0), seg(12, 100, 0), seg(24, 10, 0)}, end: 25, start: 10, settings: with(), now: 1, wantStart: 10},

		{name: "retention.ms=2^63-1 does not overflow", segments: a, end: 25, settings: with(ms(1<<63 - 1)), now: far},
		{name: "compact-only follows the start since 2.1", segments: a, end: 25, start: 20, settings: with(policy(model.PolicyCompact)), now: 1, deleted: 2, wantStart: 20},
		{name: "compact-only did not follow it in 2.0", segments: a, end: 25, start: 20, settings: with(policy(model.PolicyCompact)), now: 1, release: model.Release{Major: 2}, wantStart: 20},
	}
}

func (c passCase) marks() model.Marks {
	return model.Marks{Start: max(c.start, c.segments[0].Base), HighWatermark: c.end - c.short, End: c.end}
}

func TestWorkedPasses(t *testing.T) {
	for _, c := range passCases() {
		t.Run(c.name, func(t *testing.T) {
			got := model.Decide(c.segments, c.marks(), c.settings, c.now, c.release)
			if got.Deleted != c.deleted || got.Start != c.wantStart || got.Roll != c.roll {
				t.Errorf("deleted %d, start %d, roll %t; want %d, %d, %t", got.Deleted, got.Start, got.Roll, c.deleted, c.wantStart, c.roll)
			}
		})
	}
}

// Cases whose outcome does not depend on the order of the rules hold before 3.0 as well.
func TestWorkedPassesBefore30(t *testing.T) {
	orderMatters := []string{"case 09", "case 23", "case 25"}
	for _, c := range passCases() {
		if c.release.Known() || slices.Contains(orderMatters, c.name[:7]) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			got := model.Decide(c.segments, c.marks(), c.settings, c.now, kafka2)
			if got.Deleted != c.deleted || got.Start != c.wantStart || got.Roll != c.roll {
				t.Errorf("deleted %d, start %d, roll %t; want %d, %d, %t", got.Deleted, got.Start, got.Roll, c.deleted, c.wantStart, c.roll)
			}
		})
	}
}

func TestVerdictNamesTheRuleOfEverySegment(t *testing.T) {
	segments := []model.Segment{seg(0, 10, 9000), seg(10, 100, 9000), seg(20, 100, 100), seg(30, 100, 100), seg(40, 60, 9000)}
	at := model.Marks{Start: 10, HighWatermark: 45, End: 45}
	want := []model.Rule{model.RuleStart, model.RuleSize, model.RuleTime, model.RuleTime}
	verdict := model.Decide(segments, at, with(ms(1000), bytes(200)), 5000, newest)
	for i, rule := range want {
		if got, ok := verdict.RuleOf(i); !ok || got != rule {
			t.Errorf("segment %d went by %s (%t), want %s", i, got, ok, rule)
		}
	}
	for _, i := range []int{-1, 4, 5} {
		if rule, ok := verdict.RuleOf(i); ok {
			t.Errorf("segment %d that stays went by %s", i, rule)
		}
	}
}
