package cases_test

import (
	"context"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// offsetCases are the answers of ListOffsets that a search for records by time builds on. The log
// is the same in all of them, written once with a batch a record and once with a batch a segment.
func offsetCases(t *testing.T, c *kafkatest.Cluster) {
	for topic, batched := range map[string]bool{"records": false, "batches": true} {
		t.Run(topic, func(t *testing.T) {
			parallel(t, c, func(t *testing.T, c *kafkatest.Cluster) { byTime(t, c, topic, batched) })
		})
	}
}

// none is the answer where there is no record.
var none = stamped{-1, -1}

// byTime has offsets 0 to 3 stamped 100, 900, 200, 200 in one segment and 4 and 5 stamped 600 in
// the next, the active one.
func byTime(t *testing.T, c *kafkatest.Cluster, topic string, batched bool) {
	ctx := c.Context(time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic, Configs: map[string]string{"retention.ms": "-1", "internal.segment.bytes": "1200"}}))
	write(ctx, c, topic, batched, 10, 100, 900, 200, 200)
	write(ctx, c, topic, true, 550, 600, 600)
	cl := c.Client()
	check := func(name string, at int64, want stamped) {
		t.Run(name, func(t *testing.T) {
			if got, err := ask(ctx, cl, 1, consumer, topic, at); err != nil || got != want {
				t.Errorf("asked for %d: %+v, %v; want %+v", at, got, err, want)
			}
		})
	}
	check("case 74: a stamp out of order is found, start 0", 500, stamped{1, 900})
	check("case 75: above every stamp", 901, none)
	check("case 75: at the first stamp", 100, stamped{0, 100})
	check("case 75: below every stamp", 1, stamped{0, 100})
	check("case 77: the youngest record", youngest, stamped{1, 900})
	c.Must(c.DeleteRecords(ctx, topic, 0, 2))
	check("case 73: the segment with a stamp that fits yields nothing above the start, and the next one is not tried", 500, none)
	check("case 73: a time its own records reach is found", 200, stamped{2, 200})
	check("case 75: below the stamp at the start", 150, stamped{2, 200})
	check("case 77: the youngest record is below the start and still the answer", youngest, stamped{1, 900})
	c.Must(c.DeleteRecords(ctx, topic, 0, 4))
	for got := none; got.offset != 4; time.Sleep(perSecond) { // until the start rule has removed the segment
		var err error
		got, err = ask(ctx, cl, 1, consumer, topic, 500)
		c.Must(err)
	}
	check("case 77: not when its segment is gone", youngest, stamped{4, 600})
}

// write appends records with stamps in milliseconds since 1970.
func write(ctx context.Context, c *kafkatest.Cluster, topic string, batched bool, size int, stamps ...int64) {
	var all []time.Time
	for _, s := range stamps {
		all = append(all, time.UnixMilli(s))
	}
	if batched {
		_, err := c.Produce(ctx, topic, 0, size, all...)
		c.Must(err)
		return
	}
	for _, s := range all {
		_, err := c.Produce(ctx, topic, 0, size, s)
		c.Must(err)
	}
}
