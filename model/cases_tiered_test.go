package model_test

import (
	"testing"

	"kafka-retention-exporter/model"
)

// The worked cases of tiered storage, by number.

func release(minor int) model.Release { return model.Release{Major: 4, Minor: minor} }

func tiered(changes ...change) model.Settings {
	return with(append([]change{func(s *model.Settings) { s.Tiered = true }}, changes...)...)
}

func localMs(d model.Millis) change { return func(s *model.Settings) { s.LocalRetentionMs = d } }

func TestWorkedLocalPasses(t *testing.T) {
	var six []model.Segment
	for i := range 6 {
		six = append(six, seg(model.Offset(i), 100, 0))
	}
	one := []model.Segment{seg(0, 100, 1000)}
	rolled := []model.Segment{seg(0, 100, 1000), unstamped(1, 0, 1002)}
	copyOff := func(s *model.Settings) { s.RemoteCopyDisabled = true }
	short := tiered(ms(3), localMs(1))
	for _, c := range []struct {
		name     string
		segments []model.Segment
		start    model.Offset
		end      model.Offset
		uploaded model.Maybe[model.Offset]
		settings model.Settings
		release  model.Release

		deleted    int
		localStart model.Offset
		wantStart  model.Offset
		roll       bool
	}{
		{name: "case 62: only what is uploaded goes", segments: six, end: 6, uploaded: model.Known[model.Offset](1), settings: tiered(bytes(1)), deleted: 2, localStart: 2},
		{name: "case 62: nothing uploaded, nothing goes", segments: six, end: 6, settings: tiered(bytes(1))},
		{name: "case 63: the active segment in breach is rolled", segments: one, end: 1, settings: short, roll: true},
		{name: "case 63: not in 3.6", segments: one, end: 1, settings: short, release: model.Release{Major: 3, Minor: 6}},
		{name: "case 63: in 3.7", segments: one, end: 1, settings: short, release: model.Release{Major: 3, Minor: 7}, roll: true},
		{name: "case 63: rolled but not uploaded", segments: rolled, end: 1, settings: short},
		{name: "case 63: uploaded", segments: rolled, end: 1, uploaded: model.Known[model.Offset](0), settings: short, deleted: 1, localStart: 1},
		{name: "case 64: below the start, never uploaded", segments: six, start: 2, end: 6, settings: tiered(), deleted: 2, localStart: 2, wantStart: 2},
		{name: "no roll while something before the active waits for upload", segments: six, end: 6, uploaded: model.Known[model.Offset](3), settings: tiered(bytes(0)), deleted: 4, localStart: 4},
		{name: "roll when the active is the only one that waits", segments: six, end: 6, uploaded: model.Known[model.Offset](4), settings: tiered(bytes(0)), deleted: 5, localStart: 5, roll: true},
		{name: "a start at the end frees the rolled one in the same pass", segments: six, start: 6, end: 6, settings: tiered(ms(1), bytes(0)), deleted: 6, localStart: 6, wantStart: 6, roll: true},
		{name: "copy disabled: the start itself moves", segments: six, end: 6, settings: tiered(bytes(150), copyOff), deleted: 4, localStart: 4, wantStart: 4},
		{name: "copy disabled: retention.*, not local.*", segments: one, end: 1, settings: tiered(ms(3), localMs(1), copyOff)},
		{name: "copy disabled is unknown to 3.8", segments: six, end: 6, settings: tiered(bytes(150), copyOff), release: model.Release{Major: 3, Minor: 8}},
		{name: "copy disabled is known to 3.9", segments: six, end: 6, settings: tiered(bytes(150), copyOff), release: model.Release{Major: 3, Minor: 9}, deleted: 4, localStart: 4, wantStart: 4},
		{name: "3.6 spares what is not uploaded", segments: six, end: 6, settings: tiered(bytes(150)), release: model.Release{Major: 3, Minor: 6}},
		{name: "before 3.6 nothing is tiered", segments: six, end: 6, settings: tiered(bytes(150)), release: model.Release{Major: 3, Minor: 5}, deleted: 4, localStart: 4, wantStart: 4},
		{name: "the empty policy still trims the local part", segments: six, end: 6, uploaded: model.Known[model.Offset](4), settings: tiered(bytes(150), policy(model.PolicyNone)), deleted: 4, localStart: 4},
		{name: "not tiered: as any log", segments: six, end: 6, settings: with(bytes(150)), deleted: 4, localStart: 4, wantStart: 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := model.Marks{Start: c.start, HighWatermark: c.end, End: c.end}
			got := model.DecideLocal(c.segments, at, model.Tier{Uploaded: c.uploaded}, c.settings, 1002, c.release)
			if got.Deleted != c.deleted || got.LocalStart != c.localStart || got.Start != c.wantStart || got.Roll != c.roll {
				t.Errorf("deleted %d, local start %d, start %d, roll %t; want %d, %d, %d, %t",
					got.Deleted, got.LocalStart, got.Start, got.Roll, c.deleted, c.localStart, c.wantStart, c.roll)
			}
		})
	}
}

// remoteSegments are n uploaded segments of ten records and 1024 bytes, stamped one tick apart.
func remoteSegments(n int) []model.RemoteSegment {
	var remote []model.RemoteSegment
	for i := range n {
		base := model.Offset(10 * i)
		remote = append(remote, model.RemoteSegment{Base: base, Last: base + 9, Size: kib, Largest: model.Instant(1000 + i)})
	}
	return remote
}

func TestWorkedRemoteExpiry(t *testing.T) {
	for _, c := range []struct {
		name      string
		remote    []model.RemoteSegment
		localOnly model.Bytes
		start     model.Offset
		settings  model.Settings
		now       model.Instant
		release   model.Release

		deleted   int
		wantStart model.Offset
	}{
		{name: "case 65: exactly retention.ms in 4.2", remote: remoteSegments(3), settings: tiered(ms(500)), now: 1500, release: release(2), deleted: 1, wantStart: 10},
		{name: "case 65: exactly retention.ms in 4.3", remote: remoteSegments(3), settings: tiered(ms(500)), now: 1500, release: release(3)},
		{name: "case 65: a millisecond later in 4.3", remote: remoteSegments(3), settings: tiered(ms(500)), now: 1501, release: release(3), deleted: 1, wantStart: 10},
		{name: "case 66: size", remote: remoteSegments(50), localOnly: 512, settings: tiered(bytes(27*kib + 512)), deleted: 23, wantStart: 230},
		{name: "case 66: a byte less than whole segments too much", remote: remoteSegments(50), localOnly: 511, settings: tiered(bytes(27*kib + 512)), deleted: 22, wantStart: 220},
		{name: "case 66: exactly the cap", remote: remoteSegments(50), localOnly: 512, settings: tiered(bytes(50*kib + 512))},
		{name: "case 67: nothing uploaded", localOnly: 100 * kib, settings: tiered(ms(0), bytes(0)), now: far},
		{name: "case 66: nothing in excess keeps even an empty segment", remote: []model.RemoteSegment{{Base: 0, Last: 9}}, settings: tiered(bytes(0))},
		{name: "below the start", remote: remoteSegments(5), start: 20, settings: tiered(), deleted: 2, wantStart: 20},
		{name: "not with its last record at the start", remote: remoteSegments(5), start: 19, settings: tiered(), deleted: 1, wantStart: 19},
		{name: "start deletions do not reduce the excess", remote: remoteSegments(5), start: 10, settings: tiered(bytes(3 * kib)), deleted: 3, wantStart: 30},
		{name: "time deletions do", remote: remoteSegments(5), settings: tiered(ms(500), bytes(3*kib)), now: 1502, deleted: 2, wantStart: 20},
		{name: "the empty policy expires by time like delete", remote: remoteSegments(5), settings: tiered(ms(500), policy(model.PolicyNone)), now: 1502, deleted: 2, wantStart: 20},
		{name: "the empty policy expires by size like delete", remote: remoteSegments(5), settings: tiered(bytes(3*kib), policy(model.PolicyNone)), now: 1, deleted: 2, wantStart: 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := model.DecideRemote(c.remote, c.localOnly, c.start, c.settings, c.now, c.release)
			if got.Deleted != c.deleted || got.Start != c.wantStart {
				t.Errorf("deleted %d, start %d; want %d, %d", got.Deleted, got.Start, c.deleted, c.wantStart)
			}
			sum := 0
			for _, share := range got.Shares {
				sum += share.Segments
			}
			if sum != got.Deleted {
				t.Errorf("shares %v of %d deleted", got.Shares, got.Deleted)
			}
		})
	}
}

func TestLocalOnlySizeCountsAOneRecordSegmentTwice(t *testing.T) {
	segments := []model.Segment{seg(0, 1, 0), seg(10, 2, 0), seg(11, 4, 0)}
	for _, c := range []struct {
		name     string
		uploaded model.Maybe[model.Offset]
		want     model.Bytes
	}{
		{"nothing known", model.Maybe[model.Offset]{}, 7},
		{"ten records uploaded", model.Known[model.Offset](9), 6},
		{"the one-record segment uploaded", model.Known[model.Offset](10), 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := model.LocalOnlySize(segments, c.uploaded); got != c.want {
				t.Errorf("%d bytes, want %d", got, c.want)
			}
		})
	}
}

func TestLimitsInForceUnderEveryPolicy(t *testing.T) {
	for _, c := range []struct {
		policy        model.Policy
		plain, tiered bool
	}{
		{model.PolicyDelete, true, true},
		{model.PolicyCompactDelete, true, true},
		{model.PolicyCompact, false, false},
		{model.PolicyNone, false, true},
	} {
		for name, got := range map[string]struct {
			settings model.Settings
			want     bool
		}{
			"plain":  {with(ms(1), bytes(2), policy(c.policy)), c.plain},
			"tiered": {tiered(ms(1), bytes(2), policy(c.policy)), c.tiered},
		} {
			_, timed := got.settings.TimeLimit()
			_, sized := got.settings.SizeLimit()
			if timed != got.want || sized != got.want {
				t.Errorf("%s %s: time %t, size %t, want %t", name, c.policy, timed, sized, got.want)
			}
		}
	}
}
