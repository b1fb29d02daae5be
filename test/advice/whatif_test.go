package advice

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/answers"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// quiet is a topic to which nothing is written any more: one record of each batch, in bursts an
// hour apart, the last burst an hour ago.
type quiet struct {
	name       string
	partitions int32
	configs    map[string]string
	bursts     int
	each       int // records of a burst
	size       int
	groups     map[string]int64 // committed offset on every partition
	change     []string
	losing     int // groups, as the author of the test expects
}

func quietTopics() []quiet {
	hourly := map[string]string{"retention.ms": "-1", "segment.ms": "1800000", "file.delete.delay.ms": "500"}
	small := map[string]string{"retention.ms": "-1", "internal.segment.bytes": "5000", "file.delete.delay.ms": "500"}
	return []quiet{
		{name: "by-time", configs: hourly, bursts: 6, each: 8, size: 100, groups: map[string]int64{"slow": 11, "fast": 48}, change: []string{"retention.ms=12600000"}, losing: 1},
		{name: "by-size", configs: small, bursts: 6, each: 10, size: 400, groups: map[string]int64{"slow": 3, "fast": 60}, change: []string{"retention.bytes=12000"}, losing: 1},
		{name: "by-both", configs: hourly, bursts: 6, each: 8, size: 300, groups: map[string]int64{"slow": 9, "middle": 20, "fast": 47}, change: []string{"retention.ms=16200000", "retention.bytes=6000"}, losing: 2},
		{name: "many-groups", partitions: 2, configs: hourly, bursts: 6, each: 6, size: 100, groups: map[string]int64{"a": 0, "b": 7, "c": 13, "d": 30}, change: []string{"retention.ms=12600000"}, losing: 3},
		{name: "one-safe-at-the-edge", configs: hourly, bursts: 6, each: 8, size: 100, groups: map[string]int64{"edge": 24, "before": 23}, change: []string{"retention.ms=12600000"}, losing: 1},
		{name: "all-of-it", configs: hourly, bursts: 4, each: 5, size: 100, groups: map[string]int64{"fast": 20, "last": 19}, change: []string{"retention.ms=600000"}, losing: 1},
		{name: "nothing", configs: hourly, bursts: 4, each: 5, size: 100, groups: map[string]int64{"slow": 0}, change: []string{"retention.ms=86400000", "segment.bytes=1048576"}, losing: 0},
	}
}

func (q quiet) make(c *kafkatest.Cluster) {
	ctx := c.Context(time.Minute)
	partitions := max(1, q.partitions)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: q.name, Partitions: partitions, Configs: q.configs}))
	now := time.Now()
	for p := range partitions {
		for burst := range q.bursts {
			for i := range q.each {
				stamp := now.Add(-time.Duration(q.bursts-burst)*time.Hour + time.Duration(i)*time.Second)
				_, err := c.Produce(ctx, q.name, p, q.size, stamp)
				c.Must(err)
			}
		}
		for group, at := range q.groups {
			c.Must(c.Commit(ctx, q.name+"-"+group, q.name, p, at))
		}
	}
}

// TestWhatIfAndPlan shares one broker: quiet topics, topics under load, and topics that settle.
func TestWhatIfAndPlan(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{})
	settling := startSettling(t, c)
	loaded := startLoad(t, c)
	quietly(t, c)
	loaded.compare(t, c)
	settling.compare(t, c)
}

// quietly asks what the changes would delete, then makes them all and compares.
func quietly(t *testing.T, c *kafkatest.Cluster) {
	topics := quietTopics()
	var names []string
	for _, q := range topics {
		q.make(c)
		names = append(names, q.name)
	}
	seen := look(t, c, names...)
	said, before := map[string]answers.Outcome{}, map[string]map[int32]int64{}
	for _, q := range topics {
		said[q.name], before[q.name] = whatIf(t, c, seen, q.name, q.change...), sizes(t, c, 1, q.name)
		q.apply(c)
	}
	time.Sleep(3500 * time.Millisecond) // three passes
	for _, q := range topics {
		t.Run("quiet/"+q.name, func(t *testing.T) {
			c := c.For(t)
			q.await(t, c, said[q.name])
			q.compare(t, c, said[q.name], before[q.name])
		})
	}
}

func (q quiet) apply(c *kafkatest.Cluster) {
	set := map[string]string{}
	for _, s := range q.change {
		name, value, _ := strings.Cut(s, "=")
		set[name] = value
	}
	c.Must(c.AlterTopic(c.Context(30*time.Second), q.name, set))
}

// await gives a slow broker more time until the log starts have moved where they are expected to.
func (q quiet) await(t *testing.T, c *kafkatest.Cluster, said answers.Outcome) {
	t.Helper()
	for range 50 {
		moved := true
		for partition, start := range starts(t, c, q.name) {
			moved = moved && (start > 0 || said.Partitions[partition].After == 0)
		}
		if moved {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func (q quiet) compare(t *testing.T, c *kafkatest.Cluster, said answers.Outcome, before map[int32]int64) {
	t.Helper()
	if len(said.Unsure) > 0 {
		t.Errorf("unsure: %v", said.Unsure)
	}
	after, size := starts(t, c, q.name), sizes(t, c, 1, q.name)
	lost := map[string]string{}
	safe := map[string]bool{}
	for group, position := range q.groups {
		safe[q.name+"-"+group] = true
		for partition, start := range after {
			if start > position {
				record := before[partition] / int64(q.bursts*q.each)
				lost[fmt.Sprintf("%s-%s/%d", q.name, group, partition)] = fmt.Sprintf("%d to %d, %d bytes", position, start, record*(start-position))
				delete(safe, q.name+"-"+group)
			}
		}
	}
	for _, p := range said.Partitions {
		if p.After != after[p.Partition] || p.Bytes != before[p.Partition]-size[p.Partition] {
			t.Errorf("partition %d: said log start %d and %d bytes, was %d and %d", p.Partition, p.After, p.Bytes, after[p.Partition], before[p.Partition]-size[p.Partition])
		}
	}
	claimed := map[string]string{}
	for _, l := range said.Losing {
		claimed[fmt.Sprintf("%s/%d", l.Group, l.Partition)] = fmt.Sprintf("%d to %d, %d bytes", l.From, l.To, l.Bytes)
	}
	if !maps.Equal(claimed, lost) {
		t.Errorf("said %v, lost %v", claimed, lost)
	}
	if want := slices.Sorted(maps.Keys(safe)); !slices.Equal(said.Safe, want) {
		t.Errorf("said safe %v, whole are %v", said.Safe, want)
	}
	if groups := len(q.groups) - len(safe); groups != q.losing {
		t.Errorf("%d groups lost, the test means %d: %v", groups, q.losing, lost)
	}
}
