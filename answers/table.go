package answers

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// table writes lines of cells in columns.
func table(w io.Writer, head []string, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(head, "\t"))
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(r, "\t"))
	}
	return t.Flush()
}

// Table writes the check for people.
func (c Check) Table(w io.Writer) error {
	for _, p := range c.Problems {
		fmt.Fprintf(w, "not read: %s\n", p)
	}
	if len(c.Risks) == 0 && c.Exit != ExitUnsure {
		fmt.Fprintln(w, "No group is at risk.")
	}
	if err := c.risks(w); err != nil {
		return err
	}
	for _, u := range c.Unsure {
		fmt.Fprintf(w, "cannot tell: %s %s: %s\n", u.Group, place(u.Topic, u.Partition), strings.ReplaceAll(u.Reason, "_", " "))
	}
	for _, f := range c.Findings {
		fmt.Fprintf(w, "\n%s: %s\n  %s\n  %s\n", f.Topic, f.Finding, f.Evidence, f.Consequence)
		for i, cure := range f.Cure {
			fmt.Fprintf(w, "  %s %s\n", label(i), cure)
		}
	}
	return nil
}

func place(topic string, partition Number) string {
	if topic == "" {
		return "(all of it)"
	}
	return topic + "/" + partition.String()
}

func (c Check) risks(w io.Writer) error {
	if len(c.Risks) == 0 {
		return nil
	}
	var rows [][]string
	for _, r := range c.Risks {
		rows = append(rows, []string{
			r.Deadline.String(), r.Group, fmt.Sprintf("%s/%d", r.Topic, r.Partition), strings.ReplaceAll(r.State, "_", " "),
			cmp.Or(r.Rule, "-"), r.Records.String(), r.Bytes.String(), r.Floor.String(),
		})
	}
	return table(w, []string{"DEADLINE (UTC)", "GROUP", "PARTITION", "STATE", "RULE", "UNREAD", "BYTES", "SAFE UNTIL"}, rows)
}

// Table writes the outcomes for people.
func (a WhatIf) Table(w io.Writer) error {
	for i, o := range a.Topics {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := o.table(w); err != nil {
			return err
		}
	}
	return nil
}

func (o Outcome) table(w io.Writer) error {
	fmt.Fprintf(w, "%s with %s\n", o.Topic, strings.Join(o.Changes, ", "))
	for _, u := range o.Unsure {
		fmt.Fprintf(w, "cannot tell: %s\n", u)
	}
	var rows [][]string
	for _, p := range o.Partitions {
		rows = append(rows, []string{
			fmt.Sprint(p.Partition), p.At.String(), cmp.Or(strings.Join(p.Rules, "+"), "-"), fmt.Sprint(p.Segments), fmt.Sprintf("%d -> %d", p.Start, p.After),
			fmt.Sprint(p.Bytes), fmt.Sprint(p.BytesAnyway), p.UpTo.String(),
		})
	}
	if err := table(w, []string{"PARTITION", "NEXT PASS (UTC)", "RULE", "SEGMENTS", "LOG START", "BYTES", "WITHOUT CHANGE", "UP TO RECORD TIME"}, rows); err != nil {
		return err
	}
	if o.Disk.Bytes > 0 {
		fmt.Fprintf(w, "%d bytes of disk come back on all replicas together by %s.\n", o.Disk.Bytes, o.Disk.At)
	}
	rows = nil
	for _, l := range o.Losing {
		rows = append(rows, []string{
			l.Group, fmt.Sprint(l.Partition), fmt.Sprintf("%d to %d", l.From, l.To-1), fmt.Sprint(l.Records), fmt.Sprint(l.Bytes), l.UpTo.String(),
		})
	}
	if len(rows) > 0 {
		if err := table(w, []string{"LOSES", "PARTITION", "OFFSETS", "RECORDS AT MOST", "BYTES", "UP TO RECORD TIME"}, rows); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "Safe: %s\n", cmp.Or(strings.Join(o.Safe, ", "), "no group"))
	fmt.Fprintf(w, "Safe for all at %g x the largest lag (%d ms, %s): retention.ms=%s, retention.bytes=%s\n",
		o.Smallest.Factor, o.Smallest.LargestLagMs, cmp.Or(o.Smallest.Group, "no group"), o.Smallest.RetentionMs, o.Smallest.RetentionBytes)
	return nil
}

// Table writes the plan for people.
func (p Plan) Table(w io.Writer) error {
	for _, u := range p.Unsure {
		fmt.Fprintf(w, "cannot tell: %s\n", u)
	}
	var rows [][]string
	for _, t := range p.Topics {
		for _, n := range t.Partitions {
			rows = append(rows, []string{
				fmt.Sprintf("%s/%d", t.Topic, n.Partition), fmt.Sprintf("%.4g", n.Rate), n.Rule, n.Now.String(), fmt.Sprint(n.Least), fmt.Sprint(n.Mean),
				fmt.Sprint(n.Most), fmt.Sprint(n.OnDisk), fmt.Sprint(n.Replicas),
			})
		}
		rows = append(rows, []string{t.Topic, "", "", "", "", "", "", fmt.Sprint(t.OnDisk), "all"})
	}
	rows = append(rows, []string{"all topics", "", "", "", "", "", "", fmt.Sprint(p.Cluster), "all"})
	if err := table(w, []string{"LOG", "BYTES/S", "RULE", "NOW", "LEAST", "MEAN", "MOST", "ON DISK", "REPLICAS"}, rows); err != nil {
		return err
	}
	rows = nil
	for _, v := range p.Volumes {
		rows = append(rows, []string{fmt.Sprint(v.Broker), v.Dir, v.Total.String(), v.Free.String(), v.Growth.String(), v.Full.String()})
	}
	return table(w, []string{"BROKER", "DIR", "TOTAL", "FREE", "STILL GROWS", "FULL"}, rows)
}

func label(i int) string {
	if i == 0 {
		return "cure:"
	}
	return "or:  "
}
