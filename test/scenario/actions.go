package scenario

import (
	"context"
	"fmt"
	"time"
)

// Action is an accident or a decision that a script makes happen to a topic, its producer or its groups.
type Action struct {
	name      string
	kind      Accident
	group     string // of which it is the matter
	breaks    bool
	recreates bool
	mends     bool // a group that stood still goes on
	do        func(context.Context, *play) error
}

// Accident is the kind of an event.
type Accident int

// Accidents. Those from PaceChanged on are the matter of one group.
const (
	RecordsDeleted Accident = iota + 1
	TopicRecreated
	TopicConfigured
	ProducerStopped
	Backfilled
	StampedAhead
	PaceChanged
	MembersChanged
	PositionReset
)

// DeleteRecordsPast raises the log start so far beyond a group's last commit that it loses that many records.
func DeleteRecordsPast(group string, records int64) Action {
	return Action{name: "delete records", kind: RecordsDeleted, breaks: true, do: func(ctx context.Context, p *play) error {
		g, err := p.group(group)
		if err != nil {
			return err
		}
		at, ok := g.track.last()
		if !ok {
			return fmt.Errorf("group %s has no commit to delete past", group)
		}
		return p.ops.DeleteRecords(ctx, p.spec.Name, 0, at+records)
	}}
}

// Recreate deletes the topic and makes it anew, empty. Producer and groups go on with the new one.
func Recreate() Action {
	return Action{name: "re-create topic", kind: TopicRecreated, breaks: true, recreates: true, do: func(ctx context.Context, p *play) error {
		p.topic.Lock() // nobody writes or commits in between
		defer p.topic.Unlock()
		if err := p.ops.DeleteTopic(ctx, p.spec.Name); err != nil {
			return err
		}
		if err := p.create(ctx); err != nil {
			return err
		}
		p.born = time.Now()
		p.history.clear()
		for _, g := range p.groups {
			g.seek(0)
		}
		return nil
	}}
}

// Configure changes settings of the topic.
func Configure(set map[string]string) Action {
	return Action{name: "configure topic", kind: TopicConfigured, breaks: true, do: func(ctx context.Context, p *play) error {
		return p.ops.AlterTopic(ctx, p.spec.Name, set)
	}}
}

// StopProducer ends the production for good.
func StopProducer() Action {
	return Action{name: "stop producer", kind: ProducerStopped, do: func(_ context.Context, p *play) error {
		p.silence()
		return nil
	}}
}

// Backfill appends records in one batch with stamps evenly between two ages.
func Backfill(records int, oldest, newest time.Duration) Action {
	return Action{name: "backfill", kind: Backfilled, do: func(ctx context.Context, p *play) error {
		now := time.Now()
		stamps := make([]time.Time, records)
		for i := range stamps {
			age := oldest - time.Duration(i)*(oldest-newest)/time.Duration(records)
			stamps[i] = now.Add(-age)
		}
		return p.append(ctx, stamps...)
	}}
}

// StampAhead appends a record whose stamp lies in the future.
func StampAhead(by time.Duration) Action {
	return Action{name: "stamp ahead", kind: StampedAhead, do: func(ctx context.Context, p *play) error {
		return p.append(ctx, time.Now().Add(by))
	}}
}
