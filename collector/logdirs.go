package collector

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// dirsWork is one DescribeLogDirs request: some partitions, or with nil everything.
type dirsWork map[string][]int32

// dirsWork makes the requests: when all sizes are due every broker is asked for everything it
// holds, which tells of its volumes too, else only the leaders of what is wanted.
func (p *poll) dirsWork(wanted []offsetAsk, all bool) map[model.BrokerID]dirsWork {
	work := map[model.BrokerID]dirsWork{}
	for id := range p.peers {
		if p.dirsRefused(id) {
			p.problems.add(model.StageLogDirs, p.c.memory.noDirs[id].err, about{broker: p.peers[id]})
		} else if all {
			work[id] = nil
		}
	}
	if all {
		return work
	}
	for _, a := range wanted {
		leader := p.parts[a.key].Leader
		if work[leader] == nil {
			work[leader] = dirsWork{}
		}
		work[leader][a.key.Topic] = append(work[leader][a.key.Topic], a.key.Partition)
	}
	return work
}

// dirsAnswer is what a broker said about its log dirs.
type dirsAnswer struct {
	read    model.Instant
	refused error // of the whole answer
	failed  []error
	volumes map[string]model.Volume
	sizes   map[model.PartitionKey]model.Bytes
}

// readLogDirs reads sizes. Every replica has a size; the leader's is taken.
func (p *poll) readLogDirs(s sizing, work map[model.BrokerID]dirsWork) {
	hidden := map[string]bool{}
	for _, o := range fanOut(p, work, askDirs) {
		if o.err != nil {
			p.problems.add(model.StageLogDirs, o.err, about{broker: o.peer})
			continue
		}
		delete(p.c.memory.noDirs, o.peer.id)
		if o.result.refused != nil {
			p.c.memory.noDirs[o.peer.id] = dirsRefusal{time.Now(), o.result.refused}
			p.problems.add(model.StageLogDirs, o.result.refused, about{broker: o.peer})
			continue
		}
		if p.dirsVanished(o.peer, o.result) {
			p.problems.addCause(model.StageLogDirs, causeSuspicious, "the broker tells of no log dir, where it had some", about{broker: o.peer})
			continue
		}
		for _, err := range o.result.failed {
			p.problems.add(model.StageLogDirs, err, about{broker: o.peer})
		}
		p.applyDirs(o.peer, o.result, o.work == nil)
		if o.work == nil {
			p.findHidden(o.result, hidden)
			p.c.memory.hidden = len(hidden)
		}
		for key, bytes := range o.result.sizes {
			if part := p.parts[key]; part != nil && part.LeaderKnown && part.Leader == o.peer.id {
				s.sizes[key] = model.ReadAt(bytes, o.result.read)
			}
		}
	}
}

// findHidden adds the topics that a broker stores and metadata does not list: it leaves out what we
// may not see, while log dirs name everything. A topic that is being deleted was known.
func (p *poll) findHidden(answer dirsAnswer, hidden map[string]bool) {
	for _, v := range answer.volumes {
		for key := range v.Replicas {
			_, known := p.before.Topics[key.Topic]
			_, other := p.c.memory.others[key.Topic]
			if p.topics[key.Topic] == nil && !known && !other && p.c.config.watchesTopic(key.Topic, isInternal(key.Topic)) {
				hidden[key.Topic] = true
			}
		}
	}
}

// isInternal goes by the name, as brokers do for their own topics.
func isInternal(topic string) bool { return strings.HasPrefix(topic, "__") }

// dirsVanished tells an answer without any log dir from a broker that had some or holds replicas.
// Before version 3 (Kafka 3.2) that is how a missing right shows.
func (p *poll) dirsVanished(b *peer, answer dirsAnswer) bool {
	if len(answer.volumes) > 0 || len(answer.failed) > 0 {
		return false
	}
	if len(p.dirs[b.id]) > 0 {
		return true
	}
	for _, part := range p.parts {
		if slices.Contains(part.Replicas, b.id) {
			return true
		}
	}
	return false
}

func askDirs(ctx context.Context, b *peer, now func() model.Instant, w dirsWork) (dirsAnswer, error) {
	request := kmsg.NewPtrDescribeLogDirsRequest()
	for topic, partitions := range w {
		t := kmsg.NewDescribeLogDirsRequestTopic()
		t.Topic, t.Partitions = topic, partitions
		request.Topics = append(request.Topics, t)
	}
	answer, at, err := ask[*kmsg.DescribeLogDirsResponse](ctx, b, now, request)
	if err != nil {
		return dirsAnswer{}, err
	}
	return readDirs(answer, at), nil
}

// remoteDir marks what Redpanda lists for tiered storage beside its log dirs.
const remoteDir = "remote://"

func readDirs(answer *kmsg.DescribeLogDirsResponse, at model.Instant) dirsAnswer {
	d := dirsAnswer{read: at, volumes: map[string]model.Volume{}, sizes: map[model.PartitionKey]model.Bytes{}}
	if d.refused = kerr.ErrorForCode(answer.ErrorCode); d.refused != nil {
		return d
	}
	for i := range answer.Dirs {
		dir := &answer.Dirs[i]
		if strings.HasPrefix(dir.Dir, remoteDir) {
			continue
		}
		if err := kerr.ErrorForCode(dir.ErrorCode); err != nil {
			d.failed = append(d.failed, fmt.Errorf("log dir %s: %w", dir.Dir, err))
			continue
		}
		v := model.Volume{Total: volumeBytes(dir.TotalBytes, at), Usable: volumeBytes(dir.UsableBytes, at)}
		v.Replicas = d.addSizes(dir)
		d.volumes[dir.Dir] = v
	}
	return d
}

// addSizes takes over a dir's sizes and returns them. It leaves out "future" replicas, which are
// copies on their way to another dir.
func (d *dirsAnswer) addSizes(dir *kmsg.DescribeLogDirsResponseDir) map[model.PartitionKey]model.Bytes {
	hosted := map[model.PartitionKey]model.Bytes{}
	for _, t := range dir.Topics {
		for _, one := range t.Partitions {
			if !one.IsFuture {
				key := model.PartitionKey{Topic: t.Topic, Partition: one.Partition}
				d.sizes[key], hosted[key] = model.Bytes(one.Size), model.Bytes(one.Size)
			}
		}
	}
	return hosted
}

// volumeBytes is unread below version 4 (Kafka 3.3), where the field is -1.
func volumeBytes(n int64, at model.Instant) model.Read[model.Bytes] {
	if n < 0 {
		return model.Read[model.Bytes]{}
	}
	return model.ReadAt(model.Bytes(n), at)
}
