package scenario

import (
	"strconv"
	"time"
)

// recordBytes is what a record takes in the log, in a batch of its own: 61 bytes of batch header, 10 of record
// header with a key of one byte, and the value.
const (
	valueBytes  = 200
	recordBytes = 61 + 10 + valueBytes
)

// beat is the scale of scenarios: everything in them is a share of the retention.
type beat struct {
	r       time.Duration
	every   time.Duration // between records
	commits time.Duration // between commits of a group, unless it says otherwise
	past    float64       // retentions of history
}

// Length is how long the thirteen must run so that every group that loses records does so.
func Length(retention time.Duration) time.Duration { return 3 * retention }

// Thirteen are the scenarios of the first release for a retention of 20 s or more: time-ruled segments
// of a tenth of it, a check interval of a second, 1.2 retentions of history.
func Thirteen(retention time.Duration) []Scenario {
	b := beat{r: retention, every: max(retention/300, 100*time.Millisecond), commits: max(retention/60, 500*time.Millisecond), past: 1.2}
	return []Scenario{
		b.stopped(), b.slow(), b.healthy(), b.idle(), b.size(), b.both(), b.appendTime(),
		b.backfill(), b.compact(), b.unlimited(), b.deleteRecords(), b.recreated(), b.noCommit(),
	}
}

// of is a share of the retention.
func (b beat) of(share float64) time.Duration { return time.Duration(share * float64(b.r)) }

// pace is a share of the producer's pace, in records a second.
func (b beat) pace(share float64) float64 { return share / b.every.Seconds() }

// timed is a topic under the time rule, named after its scenario, with history and a steady producer.
func (b beat) timed(name string) Scenario {
	return Scenario{
		Name: name, Rule: ByTime, Retention: b.r, History: b.of(b.past),
		Producer: Producer{Every: b.every, Size: valueBytes},
		Configs:  map[string]string{"retention.ms": millis(b.r), "segment.ms": millis(b.r / 10)},
	}
}

// with adds groups.
func (b beat) with(s Scenario, groups ...Group) Scenario {
	for _, g := range groups {
		if g.Every == 0 {
			g.Every = b.commits
		}
		if g.Kind == 0 {
			g.Kind = Memberless
		}
		s.Groups = append(s.Groups, g)
	}
	return s
}

// follower reads all there is.
func follower(kind Kind) Group {
	return Group{Name: "follower-" + map[Kind]string{Memberless: "memberless", Classic: "classic", Consumer: "consumer"}[kind], Kind: kind, Pace: Keep}
}

// frozen never moves from where it is.
func (b beat) frozen(behind float64) Group {
	return Group{Name: "frozen", Behind: b.of(behind), Loses: true}
}

// half reads half of what is produced and, each time it falls off, needs a while to go on.
func (b beat) half(behind float64) Group {
	return Group{Name: "half", Behind: b.of(behind), Pace: b.pace(0.5), Stuck: b.of(1.0 / 15), Loses: true}
}

func (b beat) stopped() Scenario {
	left, stalled := follower(Consumer), follower(Classic)
	left.Name, stalled.Name, left.Loses, stalled.Loses = "left", "stalled", true, true
	s := b.with(b.timed("stopped"), b.frozen(0.5), left, stalled)
	s.Events = []Event{{b.of(0.5), Leave("left")}, {b.of(0.7), Pace("stalled", 0)}}
	return s
}

func (b beat) slow() Scenario {
	return b.with(b.timed("slow"),
		b.half(0.3),
		Group{Name: "member", Kind: Classic, Behind: b.of(0.4), Pace: b.pace(0.6), Loses: true})
}

func (b beat) healthy() Scenario {
	s := b.with(b.timed("healthy"), follower(Memberless), follower(Classic), follower(Consumer))
	for i := range s.Groups {
		s.Groups[i].Healthy = true
	}
	return s
}

func (b beat) idle() Scenario {
	s := b.with(b.timed("idle"), b.frozen(0.1), follower(Memberless))
	s.Events = []Event{{b.of(0.2), StopProducer()}}
	return s
}

// sized is a topic under the size rule that keeps about the given share of a retention's production.
func (b beat) sized(name string, share float64) Scenario {
	s := b.timed(name)
	s.Rule = BySize
	perRetention := float64(b.r/b.every) * recordBytes
	s.Configs = map[string]string{
		"retention.ms":           "-1",
		"retention.bytes":        strconv.Itoa(int(share * perRetention)),
		"internal.segment.bytes": strconv.Itoa(int(perRetention / 10)),
	}
	return s
}

func (b beat) size() Scenario {
	return b.with(b.sized("size", 0.9), b.frozen(0.4),
		b.half(0.2), follower(Memberless))
}

// both has the size rule act first: it keeps 0.7 retentions.
func (b beat) both() Scenario {
	s := b.sized("both", 0.7)
	s.Rule = ByBoth
	s.Configs["retention.ms"] = millis(b.r)
	return b.with(s, b.frozen(0.3), b.half(0.1), follower(Memberless))
}

// appendTime has no history: the broker stamps, and it cannot stamp the past.
func (b beat) appendTime() Scenario {
	s := b.timed("append-time")
	s.History = 0
	s.Configs["message.timestamp.type"] = "LogAppendTime"
	stops := follower(Memberless)
	stops.Name, stops.Loses = "stops", true
	s = b.with(s, stops, b.half(0), follower(Consumer))
	s.Events = []Event{{b.of(0.3), Pace("stops", 0)}}
	return s
}

// backfill writes records that are half a retention old, and once a batch of which part is overdue.
func (b beat) backfill() Scenario {
	s := b.timed("backfill")
	s.Producer.Late = b.of(0.4)
	stops := follower(Memberless)
	stops.Name, stops.Loses = "stops", true
	s = b.with(s, b.frozen(0.2), stops, follower(Classic))
	s.Events = []Event{{b.of(0.5), Backfill(300, b.of(1.5), b.of(0.5))}, {b.of(0.6), Pace("stops", 0)}}
	return s
}

func (b beat) compact() Scenario {
	s := b.timed("compact")
	s.Rule = ByNone
	s.Configs["cleanup.policy"] = "compact"
	s = b.with(s, b.frozen(0.5), follower(Memberless))
	s.Groups[0].Loses = false
	return s
}

func (b beat) unlimited() Scenario {
	s := b.timed("unlimited")
	s.Rule = ByNone
	s.Configs["retention.ms"] = "-1"
	s = b.with(s, b.frozen(0.5), follower(Memberless))
	s.Groups[0].Loses = false
	return s
}

func (b beat) deleteRecords() Scenario {
	s := b.with(b.timed("delete-records"), b.frozen(0.3), follower(Memberless))
	s.Events = []Event{{b.of(0.4), DeleteRecordsPast("frozen", 10)}}
	return s
}

// recreated loses what a deleted topic held; the frozen group's commits go with the topic.
func (b beat) recreated() Scenario {
	frozen := b.frozen(0.2)
	frozen.Loses = false
	s := b.with(b.timed("recreated"), frozen, follower(Memberless))
	s.Events = []Event{{b.of(0.5), Recreate()}}
	return s
}

func (b beat) noCommit() Scenario {
	silent := follower(Classic)
	silent.Name, silent.Silent = "silent", true
	return b.with(b.timed("no-commit"), silent)
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
