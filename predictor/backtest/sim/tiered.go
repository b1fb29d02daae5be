package sim

import "kafka-retention-exporter/model"

// remoteTask is remote.log.manager.task.interval.ms.
const remoteTask = 30 * second

// expireRemote is one run of the task that expires remote segments (model.DecideRemote). Every
// closed segment has been copied; what is local is not modelled, since no group loses by it.
func expireRemote(log *model.Log, now model.Instant) {
	segments := log.Segments()
	var remote []model.RemoteSegment
	for i := range segments[:len(segments)-1] {
		s := segments[i]
		remote = append(remote, model.RemoteSegment{Base: s.Base, Last: segments[i+1].Base - 1, Size: s.Size, Largest: s.Stamp()})
	}
	uploaded := model.Maybe[model.Offset]{}
	if n := len(remote); n > 0 {
		uploaded = model.Known(remote[n-1].Last)
	}
	local := model.LocalOnlySize(segments, uploaded)
	verdict := model.DecideRemote(remote, local, log.Start(), log.Settings(), now, model.Release{})
	if verdict.Deleted > 0 {
		_ = log.RaiseStart(verdict.Start) // never above the high watermark
	}
	dropBelowStart(log, now)
}

// dropBelowStart lets go of the segments below the log start, and of no others.
func dropBelowStart(log *model.Log, now model.Instant) {
	s := log.Settings()
	only := s
	only.RetentionMs, only.RetentionBytes = -1, -1
	log.Configure(only)
	log.Pass(now)
	log.Configure(s)
}
