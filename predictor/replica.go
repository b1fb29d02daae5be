package predictor

import "kafka-retention-exporter/model"

// ReplicaOutlook is what the broker is going to do to a replica whose files are read, by its own
// rules on its own segments.
type ReplicaOutlook struct {
	Next     model.Maybe[model.Instant] // pass that deletes next; model.Forever where nothing can be
	Segments int                        // how many it takes, and what is in them
	Bytes    model.Bytes
	Offsets  model.Offset
	// Blocker is the base of the first segment that is kept although the one behind it has expired.
	Blocker model.Maybe[model.Offset]
	Newest  model.Maybe[model.Instant] // newest stamp of all
}

// replicaOutlooks are those of all replicas whose files were read in the last poll, beside what is told
// of the partitions at the same instant.
func (p *Predictor) replicaOutlooks(told map[model.PartitionKey]Outlook, now model.Instant) map[model.PartitionKey]ReplicaOutlook {
	local, ok := p.snapshot.Local.FreshSince(p.snapshot.Started)
	if !ok {
		return nil
	}
	out := make(map[model.PartitionKey]ReplicaOutlook, len(local.Replicas))
	for key, r := range local.Replicas {
		if set, ok := p.snapshot.Topics[key.Topic].Settings[local.ID].Get(); ok && len(r.Segments) > 0 {
			out[key] = p.replicaOutlook(local.ID, r, set, told[key], now)
		}
	}
	return out
}

// replicaOutlook lets the broker's pass (model.Decide) run at the first instant at which it takes
// anything. When bytes will have come is only known of what the broker leads: its partition tells.
func (p *Predictor) replicaOutlook(broker model.BrokerID, r *model.LocalReplica, set model.Settings, told Outlook, now model.Instant) ReplicaOutlook {
	var f files
	f.open(r)
	out := ReplicaOutlook{Newest: model.Known(f.stamps[len(f.stamps)-1])}
	if age, timed := set.TimeLimit(); timed {
		out.Blocker = blocking(r.Segments, age, now)
	}
	if set.Policy.Compacts() || set.Tiered {
		return out
	}
	out.Next = model.Known(model.Forever)
	if due := f.firstDue(set, now); due < model.Forever {
		check := passInterval(p.snapshot.Brokers[broker], model.Known(set))
		out.Next = model.Known(p.phases.of(broker).next(max(due, now), check))
	}
	if part := p.partitions[r.Key]; part != nil && part.local == r && told.NextDeletion.IsKnown() {
		out.Next = told.NextDeletion
	}
	out.take(r, set, releaseOf(p.snapshot.Brokers[broker]))
	return out
}

// firstDue is when the oldest segment is due, as things stand.
func (f *files) firstDue(set model.Settings, now model.Instant) model.Instant {
	due := model.Forever
	if age, timed := set.TimeLimit(); timed {
		due = expiry(f.stamps[0], age)
	}
	if limit, sized := set.SizeLimit(); sized && f.after[0] >= limit {
		due = min(due, now)
	}
	return due
}

// take fills in what the pass takes.
func (o *ReplicaOutlook) take(r *model.LocalReplica, set model.Settings, release model.Release) {
	pass, ok := o.Next.Get()
	if !ok || pass == model.Forever {
		return
	}
	end, _ := r.HighWatermark.Get()
	end = max(end, r.Segments[len(r.Segments)-1].Base)
	verdict := model.Decide(r.Segments, model.Marks{Start: r.Start, HighWatermark: end, End: end}, set, pass, release)
	o.Segments = verdict.Deleted
	o.Bytes = model.TotalSize(r.Segments[:verdict.Deleted])
	o.Offsets = verdict.Start - r.Start
}

// blocking is the first segment that time keeps although the one behind it has expired.
func blocking(segments []model.Segment, age model.Millis, now model.Instant) (base model.Maybe[model.Offset]) {
	for i := range segments {
		if expiry(segments[i].Stamp(), age) <= now {
			continue
		}
		if i+1 < len(segments) && expiry(segments[i+1].Stamp(), age) <= now {
			return model.Known(segments[i].Base)
		}
		return base
	}
	return base
}
