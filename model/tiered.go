package model

import "sort"

// Tier is what a replica of a tiered topic knows beyond its Marks.
type Tier struct {
	LocalStart Offset        // local log start offset, never below the (total) log start
	Uploaded   Maybe[Offset] // highest offset in remote storage, inclusive; unknown if there is none
}

// LocalVerdict is what one pass does to the local part of a tiered log. While copying to the
// remote tier is on, Verdict.Start stays where it was (a group loses nothing by a local
// deletion) and Roll also means: the active segment is in breach and is rolled now, to be
// uploaded and deleted by a later pass.
type LocalVerdict struct {
	Verdict
	LocalStart Offset
}

// Copies reports whether segments are copied to the remote tier: tiered storage is on (3.6 and
// later) and remote.log.copy.disable, which exists since 3.9 (KIP-950), is not set
// (UnifiedLog.remoteLogEnabledAndRemoteCopyEnabled).
func (s Settings) Copies(release Release) bool {
	if !s.Tiered || release.Before(3, 6) {
		return false
	}
	return !s.RemoteCopyDisabled || release.Before(3, 9)
}

// LocalLimits are the retention values of the local part: local.retention.*, where -2 means
// those of the whole log (UnifiedLog.localRetentionMs, localRetentionSize).
func (s Settings) LocalLimits() (d Millis, b Bytes) {
	d, b = s.LocalRetentionMs, s.LocalRetentionBytes
	if d == sameAsTotal {
		d = s.RetentionMs
	}
	if b == sameAsTotal {
		b = s.RetentionBytes
	}
	return d, b
}

// DecideLocal is one retention pass over the local segments of a tiered topic, as a pure
// function (UnifiedLog.deleteOldSegments and deletableSegments, 3.6 and later). It runs the
// same rules with the local limits, but a segment goes only once it is in remote storage or
// wholly below the log start. All three rules run under the empty policy too (4.2). Where
// nothing is copied it is Decide: retention.* governs and moves the log start itself.
func DecideLocal(segments []Segment, at Marks, tier Tier, s Settings, now Instant, release Release) LocalVerdict {
	localStart := max(tier.LocalStart, at.Start)
	if !s.Copies(release) {
		verdict := Decide(segments, at, s, now, release)
		return LocalVerdict{verdict, max(localStart, verdict.Start)}
	}
	limitMs, limitBytes := s.LocalLimits()
	reach := reachable(segments, at)
	verdict := Verdict{Start: at.Start}
	taken := 0
	for i, rule := range release.ruleOrder() {
		stop := taken
		switch rule {
		case RuleStart:
			stop = takeBelowStart(segments, taken, reach, localStart)
		case RuleSize:
			stop = takeOversize(segments, taken, reach, limitBytes)
		case RuleTime:
			stop = takeExpired(segments, taken, reach, limitMs, now)
		}
		eligible := max(taken, removable(segments, at, tier, verdict.Roll))
		if rollsActive(len(segments), stop, eligible, release) {
			verdict.Roll = true
		}
		stop = min(stop, eligible)
		verdict.Shares[i] = Share{rule, stop - taken}
		taken = stop
	}
	if taken > 0 {
		verdict.Deleted = taken
		verdict.Roll = verdict.Roll || taken == len(segments)
		localStart = max(localStart, Upper(segments, taken-1, at.End))
	}
	return LocalVerdict{verdict, localStart}
}

// removable counts the leading segments that may leave the local disk: those whose last offset
// is in remote storage, and those whose next segment begins at or below the log start, which
// nobody can read any more. rolled tells that the pass has already put an empty segment behind
// the last one.
func removable(segments []Segment, at Marks, tier Tier, rolled bool) int {
	uploaded, some := tier.Uploaded.Get()
	return sort.Search(len(segments), func(i int) bool {
		upper := Upper(segments, i, at.End)
		hasNext := i+1 < len(segments) || rolled
		return !(some && upper-1 <= uploaded) && !(hasNext && upper <= at.Start)
	})
}

// rollsActive tells whether a rule's walk reaches an active segment in breach, which is then
// rolled so that it can be uploaded (KAFKA-15047, since 3.7; 3.6 leaves it until it is full).
// The walk gets there only if everything before it may go.
func rollsActive(segments, breached, eligible int, release Release) bool {
	return !release.Before(3, 7) && segments > 0 && breached == segments && eligible >= segments-1
}
