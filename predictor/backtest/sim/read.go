package sim

import (
	"maps"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor/backtest/track"
)

// read builds the snapshot of one poll. The order is the collector's: log starts before commits
// before ends, the size between two reads of the end, the log start once more. wait is the share
// of the longest duration that this poll takes.
func (e *exporter) read(w *world, wait float64) *model.Snapshot {
	begin := e.clock(w)
	pause := model.Millis(wait*float64(e.Takes)) / 4
	step := func() { w.advance(w.now.Add(pause)) }

	e.readSettings(w)
	part := e.partition(w)
	sizing := e.sizeDue(w)
	start, started := w.log.Start(), e.readStart(w, &part, sizing)
	step()
	e.readGroups(w)
	step()
	before, size, total := w.log.End(), w.log.Size(), w.records.total()
	sizing = (sizing || started && e.sizeAfterMove(w, start)) && e.answers()
	step()
	end, ended := w.log.End(), e.answers()
	if ended {
		e.readEnd(w, &part)
	}
	e.readWide(end, e.clock(w))
	step()
	e.sized = model.Maybe[model.Bytes]{}
	if sizing && started && ended {
		e.sized = model.Known(total)
		e.sizedAt = w.now
		part.Size = model.ReadAt(model.SizeRead{Bytes: size, EndBefore: before, EndAfter: end, LogStart: start, Still: start == w.log.Start()}, e.clock(w))
	}
	e.distrust(&part)
	e.hold(&part, begin)
	if started && ended && e.oldestOf != start && start < end {
		part.Oldest = model.ReadAt(w.records.firstSince(0, w.log.Start()), e.clock(w))
		e.oldestOf = start
	}
	e.seen = track.Seen{At: begin, Start: start, End: end, Size: size}
	e.readFollower(w, &part)
	e.last = part
	return &model.Snapshot{
		Started: begin, At: e.clock(w), Reached: true,
		Brokers: e.brokers(w), Topics: map[string]model.Topic{topicName: e.topic()},
		Partitions: e.partitions(part), Groups: e.groups, GroupsSeen: 1,
	}
}

// partition is what the poll before knew, as far as it is of the same topic. That a topic was
// created again shows in the metadata alone, which is not read at every poll.
func (e *exporter) partition(w *world) model.Partition {
	part := e.last
	if e.metaAt == 0 || w.now.Sub(e.metaAt) >= metadataEvery || part.Leader != w.leader {
		e.metaAt, e.topicID = w.now, topicID(w)
	}
	if part.TopicID != e.topicID {
		part = model.Partition{}
		e.oldestOf, e.sizedAt, e.askedAt, e.doubt = -1, 0, 0, false
	}
	part.Key, part.TopicID, part.LeaderEpoch = key, e.topicID, w.epoch
	part.Leader, part.LeaderKnown = w.leader, true
	part.Replicas, part.ISR = []model.BrokerID{leaderID}, []model.BrokerID{leaderID}
	if w.follower != nil {
		part.Replicas, part.ISR = []model.BrokerID{leaderID, followerID}, []model.BrokerID{leaderID, followerID}
	}
	return part
}

func topicID(w *world) model.TopicID { return model.TopicID{1, byte(w.topic)} }

func (e *exporter) readSettings(w *world) {
	if e.configAt != 0 && w.now.Sub(e.configAt) < configsEvery && len(e.settings) > 0 {
		return
	}
	e.configAt = w.now
	e.settings = maps.Clone(e.settings)
	for id := range w.passes {
		e.settings[id] = model.ReadAt(w.log.Settings(), e.clock(w))
	}
}

func (e *exporter) readFollower(w *world, part *model.Partition) {
	if w.follower == nil || e.askedAt != 0 && w.now.Sub(e.askedAt) < replicasEvery {
		return
	}
	e.askedAt = w.now
	part.FollowerLogStart = map[model.BrokerID]model.Read[model.Offset]{w.other(): model.ReadAt(w.follower.Start(), e.clock(w))}
}

func (e *exporter) brokers(w *world) map[model.BrokerID]model.Broker {
	set := model.BrokerSettings{
		CheckInterval: e.plan.Check, CleanerBackoff: e.plan.Backoff,
		OffsetsRetention: 7 * day, OffsetsCheck: 10 * minute, InitialTaskDelay: 30 * second, RemoteTaskMs: remoteTask,
	}
	out := map[model.BrokerID]model.Broker{}
	for id := range w.passes {
		out[id] = model.Broker{ID: id, Up: true, Settings: model.ReadAt(set, e.clock(w))}
	}
	return out
}

func (e *exporter) topic() model.Topic {
	return model.Topic{Name: topicName, ID: e.topicID, Partitions: int32(1 + e.plan.Reader.Width), Settings: e.settings}
}

// answers tells whether a fact can be renewed.
func (e *exporter) answers() bool { return e.random.Float64() >= e.Fails }

// readGroups reads the group with its position; where it cannot, it stays as it was.
func (e *exporter) readGroups(w *world) {
	read := e.answers() || e.groups == nil
	e.look(read)
	if !read {
		e.groups = maps.Clone(e.groups)
		return
	}
	at := e.clock(w)
	g := model.Group{
		Name: groupName, Kind: e.plan.Reader.Kind, State: w.group.listed(w.now), ProtocolType: e.plan.Reader.Protocol,
		OffsetsRead: model.ReadAt(struct{}{}, at), Offsets: map[model.PartitionKey]model.Read[model.Commit]{},
	}
	if w.group.exists {
		g.Offsets[key] = model.ReadAt(model.Commit{Offset: w.group.committed, LeaderEpoch: -1}, at)
	}
	e.groups = map[string]model.Group{groupName: g}
}

// readWide adds the other partitions of a wide group: it has read all of them.
func (e *exporter) readWide(end model.Offset, at model.Instant) {
	g := e.groups[groupName]
	g.Offsets = maps.Clone(g.Offsets)
	e.groups[groupName] = g
	for i := range e.plan.Reader.Width {
		g.Offsets[model.PartitionKey{Topic: topicName, Partition: int32(i + 1)}] = model.ReadAt(model.Commit{Offset: end, LeaderEpoch: -1}, at)
	}
}

// partitions are the one that is played, and as many like it as the group is wide.
func (e *exporter) partitions(part model.Partition) map[model.PartitionKey]model.Partition {
	out := map[model.PartitionKey]model.Partition{key: part}
	for i := range e.plan.Reader.Width {
		k := model.PartitionKey{Topic: topicName, Partition: int32(i + 1)}
		other := part
		other.Key = k
		out[k] = other
	}
	return out
}
