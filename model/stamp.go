package model

// AcceptsStamp reports whether a leader takes a record with a producer's stamp, under
// message.timestamp.type=CreateTime: it must not lie more than before in the past nor more
// than after in the future, exactly at either bound is taken, and an unknown bound takes
// everything (LogValidator.validateTimestamp). Followers do not ask. A refused produce request
// fails with INVALID_TIMESTAMP.
func AcceptsStamp(stamp, now Instant, before, after Maybe[Millis]) bool {
	if bound, ok := before.Get(); ok && now.Sub(stamp) > bound {
		return false
	}
	if bound, ok := after.Get(); ok && stamp.Sub(now) > bound {
		return false
	}
	return true
}
