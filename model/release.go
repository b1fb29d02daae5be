package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Release is the Kafka release whose rules a broker follows. The zero Release is an unknown
// one and is treated as the newest.
type Release struct{ Major, Minor int }

// ParseRelease reads a release like "4.4", "3.9.1" or "4.4-IV0". What follows the minor number
// is ignored: no rule is known to differ within a minor release.
func ParseRelease(text string) (Release, error) {
	major, rest, found := strings.Cut(strings.TrimSpace(text), ".")
	if !found {
		return Release{}, fmt.Errorf("parse Kafka release %q: no minor number", text)
	}
	digits := rest
	if i := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = rest[:i]
	}
	var r Release
	var err error
	if r.Major, err = parseNumber(major); err != nil {
		return Release{}, fmt.Errorf("parse Kafka release %q: %w", text, err)
	}
	if r.Minor, err = parseNumber(digits); err != nil {
		return Release{}, fmt.Errorf("parse Kafka release %q: %w", text, err)
	}
	return r, nil
}

func parseNumber(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	return int(n), err
}

// Known reports whether the release is known at all.
func (r Release) Known() bool { return r != Release{} }

// Before reports whether the release is older than major.minor; an unknown one is not.
func (r Release) Before(major, minor int) bool {
	if !r.Known() {
		return false
	}
	return r.Major < major || r.Major == major && r.Minor < minor
}

// String prints the release as people write it.
func (r Release) String() string {
	if !r.Known() {
		return "unknown"
	}
	return strconv.Itoa(r.Major) + "." + strconv.Itoa(r.Minor)
}

// ruleOrder is the order of the rules within one pass. Since 3.0 the time rule is the last, so
// that a segment it could not pass may be removed by another rule in the same pass
// (KAFKA-12177, UnifiedLog.deleteOldSegments; before: Log.deleteOldSegments).
func (r Release) ruleOrder() [3]Rule {
	if r.Before(3, 0) {
		return [3]Rule{RuleTime, RuleSize, RuleStart}
	}
	return [3]Rule{RuleStart, RuleSize, RuleTime}
}

// runs tells whether a rule acts under a cleanup policy. Without "delete" only the start rule
// runs, and before 2.1 not even that (Log.deleteOldSegments 2.0 against 2.1).
func (r Release) runs(rule Rule, policy Policy) bool {
	if policy.Deletes() {
		return true
	}
	return rule == RuleStart && !r.Before(2, 1)
}

// mebibyte is the floor that 4.0 and 4.1 put under segment sizes; oldestRecord the one before,
// the overhead of a record in the oldest format (LegacyRecord.RECORD_OVERHEAD_V0).
const (
	mebibyte     Bytes = 1 << 20
	oldestRecord Bytes = 14
)

// MinTopicSegmentBytes is the least segment.bytes that a topic may have (LogConfig, KIP-1030:
// 1 MiB since 4.1; 4.0 still took 14). The hidden internal.segment.bytes goes below it.
func (r Release) MinTopicSegmentBytes() Bytes {
	if r.Before(4, 1) {
		return oldestRecord
	}
	return mebibyte
}

// MinBrokerSegmentBytes is the least log.segment.bytes (ServerLogConfigs, KIP-1030: 1 MiB
// since 4.0).
func (r Release) MinBrokerSegmentBytes() Bytes {
	if r.Before(4, 0) {
		return oldestRecord
	}
	return mebibyte
}

// DefaultTimestampAfterMax is the default of message.timestamp.after.max.ms: how far in the
// future a producer's stamp may lie. ok is false where there is no bound (before 4.0).
func (r Release) DefaultTimestampAfterMax() (d Millis, ok bool) {
	if r.Before(4, 0) {
		return 0, false
	}
	return 60 * 60 * 1000, true
}

// EmptyPolicyIsLegal reports whether cleanup.policy may be empty (KAFKA-19112, since 4.2).
func (r Release) EmptyPolicyIsLegal() bool { return !r.Before(4, 2) }
