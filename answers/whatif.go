package answers

import (
	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
)

// WhatIf is what the next pass would delete after changes of settings, topic by topic.
type WhatIf struct {
	Exit   int       `json:"exit"`
	Topics []Outcome `json:"topics"`
}

// Outcome is that of one topic.
type Outcome struct {
	Topic      string     `json:"topic"`
	Changes    []string   `json:"changes"`
	Partitions []Pass     `json:"partitions"`
	Losing     []Loss     `json:"losing"`
	Safe       []string   `json:"safe"`
	Smallest   Smallest   `json:"smallest_safe"`
	Unsure     []string   `json:"unsure"`
	Disk       DiskReturn `json:"disk"`
}

// Pass is what the next pass does to one partition.
type Pass struct {
	Partition   int32    `json:"partition"`
	At          When     `json:"next_pass"`
	Latest      When     `json:"next_pass_latest"`
	Start       int64    `json:"log_start_offset"`
	After       int64    `json:"log_start_offset_after"`
	Segments    int      `json:"segments"`
	Bytes       int64    `json:"bytes"`
	BytesAnyway int64    `json:"bytes_without_change"`
	UpTo        When     `json:"up_to_record_time"`
	Rules       []string `json:"rules"`
}

// Loss is what one group loses on one partition: unread offsets from From to before To.
type Loss struct {
	Group     string `json:"consumergroup"`
	Partition int32  `json:"partition"`
	From      int64  `json:"from_offset"`
	To        int64  `json:"to_offset"`
	Records   int64  `json:"records_at_most"`
	Bytes     int64  `json:"bytes"`
	UpTo      When   `json:"up_to_record_time"`
}

// Smallest is the least retention that keeps every known group whole, with the safety factor.
type Smallest struct {
	Factor         float64 `json:"factor"`
	RetentionMs    Number  `json:"retention_ms"`
	RetentionBytes Number  `json:"retention_bytes"`
	LargestLagMs   int64   `json:"largest_lag_ms"`
	Group          string  `json:"consumergroup,omitempty"`
}

// DiskReturn is when and how much space comes back, on all replicas together.
type DiskReturn struct {
	Bytes int64 `json:"bytes_all_replicas"`
	At    When  `json:"at"` // the last pass and file.delete.delay.ms; unknown where nothing goes
}

// NewWhatIf writes outcomes, each made with the same safety factor.
func NewWhatIf(outcomes []advice.Outcome, factor float64) WhatIf {
	out := WhatIf{Topics: []Outcome{}}
	for _, o := range outcomes {
		one := outcomeOf(o, factor)
		out.Topics = append(out.Topics, one)
		switch {
		case len(one.Losing) > 0:
			out.Exit = ExitRisk
		case len(one.Unsure) > 0 && out.Exit == ExitSafe:
			out.Exit = ExitUnsure
		}
	}
	return out
}

func outcomeOf(o advice.Outcome, factor float64) Outcome {
	out := Outcome{
		Topic: o.Topic, Changes: []string{}, Partitions: []Pass{}, Losing: []Loss{},
		Safe: append([]string{}, o.Safe...), Unsure: append([]string{}, o.Unsure...),
		Smallest: Smallest{
			Factor: factor, RetentionMs: number(o.Smallest.RetentionMs), RetentionBytes: number(o.Smallest.RetentionBytes),
			LargestLagMs: int64(o.Smallest.Lag.Time), Group: o.Smallest.Lag.Group,
		},
	}
	for _, c := range o.Changes {
		out.Changes = append(out.Changes, c.String())
	}
	for _, p := range o.Partitions {
		out.Partitions = append(out.Partitions, passOf(p))
		out.Disk.add(p)
	}
	for _, l := range o.Losing {
		out.Losing = append(out.Losing, Loss{
			Group: l.Group, Partition: l.Key.Partition, From: int64(l.From), To: int64(l.To),
			Records: int64(l.Records()), Bytes: int64(l.Bytes), UpTo: When{l.UpTo},
		})
	}
	return out
}

func passOf(p advice.Pass) Pass {
	out := Pass{
		Partition: p.Key.Partition, At: at(p.At), Latest: at(p.Latest), Start: int64(p.Start), After: int64(p.After),
		Segments: p.Segments, Bytes: int64(p.Bytes), BytesAnyway: int64(p.BytesAnyway), UpTo: When{p.UpTo}, Rules: []string{},
	}
	for _, r := range p.Rules {
		out.Rules = append(out.Rules, r.String())
	}
	return out
}

func (d *DiskReturn) add(p advice.Pass) {
	if p.Segments == 0 {
		return
	}
	d.Bytes += int64(p.AllReplicas)
	last, _ := d.At.Get()
	d.At = When{model.Known(max(last, p.DiskBack))}
}

// With is both answers in one.
func (a WhatIf) With(b WhatIf) WhatIf {
	out := WhatIf{Exit: a.Exit, Topics: append(append([]Outcome{}, a.Topics...), b.Topics...)}
	if out.Exit != ExitRisk && b.Exit != ExitSafe {
		out.Exit = b.Exit
	}
	return out
}
