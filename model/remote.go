package model

// RemoteSegment is one segment in remote storage whose copy is finished.
type RemoteSegment struct {
	Base    Offset
	Last    Offset // last offset, inclusive
	Size    Bytes
	Largest Instant // the segment's Stamp when it was uploaded
}

// RemoteVerdict is what one run of the remote expiration task does.
type RemoteVerdict struct {
	Deleted int    // so many leading segments go
	Start   Offset // the log start offset afterwards, set before the objects are deleted
	Shares  [3]Share
}

// DecideRemote is one run of the task that expires remote segments, as a pure function
// (RemoteLogManager.RLMExpirationTask, 3.6 and later): on the leader only, on its own schedule
// of remote.log.manager.task.interval.ms, never in a retention pass. retention.* is the limit
// of the whole log, under the empty cleanup.policy as under delete: this task does not look at
// the policy. localOnly is LocalOnlySize. The segments are one unbroken lineage in
// offset order; leader epochs are not modelled. Without remote segments nothing happens,
// however old the local data.
func DecideRemote(remote []RemoteSegment, localOnly Bytes, start Offset, s Settings, now Instant, release Release) RemoteVerdict {
	verdict := RemoteVerdict{Start: start, Shares: [3]Share{{Rule: RuleStart}, {Rule: RuleTime}, {Rule: RuleSize}}}
	excess := remoteExcess(remote, localOnly, s)
	for _, segment := range remote {
		switch {
		case segment.Last < start:
			// Its bytes count in the total but do not reduce the excess when it goes.
			verdict.Shares[0].Segments++
		case remotelyExpired(segment, s, now, release):
			excess = max(0, excess-segment.Size)
			verdict.Shares[1].Segments++
		case excess > 0 && excess >= segment.Size:
			excess -= segment.Size
			verdict.Shares[2].Segments++
		default:
			return verdict
		}
		verdict.Deleted++
		verdict.Start = max(verdict.Start, segment.Last+1)
	}
	return verdict
}

// remotelyExpired is the remote time rule: strict like the local one since 4.3 (KAFKA-20091);
// 3.6 to 4.2 delete at exactly retention.ms.
func remotelyExpired(segment RemoteSegment, s Settings, now Instant, release Release) bool {
	limit, ok := s.TimeLimit()
	if !ok {
		return false
	}
	age := now.Sub(segment.Largest)
	if release.Before(4, 3) {
		return age >= limit
	}
	return age > limit
}

// remoteExcess is how much of the whole log lies above retention.bytes
// (RLMExpirationTask.buildRetentionSizeData); 0 where the size rule is off.
func remoteExcess(remote []RemoteSegment, localOnly Bytes, s Settings) Bytes {
	limit, ok := s.SizeLimit()
	if !ok {
		return 0
	}
	total := localOnly
	for i := range remote {
		total += remote[i].Size
	}
	return max(0, total-limit)
}

// LocalOnlySize is the bytes of local segments that the remote size rule takes for not yet
// uploaded: those whose base is at or above the highest offset in remote storage. That offset
// is inclusive, so an uploaded segment of one record is counted on both sides
// (UnifiedLog.onlyLocalLogSegmentsSize). While the leader does not know the offset every
// segment counts; late 4.3 patch releases wait for it instead (KAFKA-20732).
func LocalOnlySize(segments []Segment, uploaded Maybe[Offset]) Bytes {
	highest, some := uploaded.Get()
	var sum Bytes
	for i := range segments {
		if !some || segments[i].Base >= highest {
			sum += segments[i].Size
		}
	}
	return sum
}
