package cases_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestRestart shows the cases that need a broker to end and to come back.
func TestRestart(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	c := kafkatest.Start(t, kafkatest.Options{})
	t.Run("case 14: without its time index a segment is judged by its file's time", func(t *testing.T) { lostTimeIndex(t, c.For(t)) })
	t.Run("case 56: the broker's own retention may not be 0", func(t *testing.T) { zeroOnTheBroker(t, c.For(t)) })
}

// lostTimeIndex has two logs whose first segments are a day old by their stamps, and takes the
// time index from one of them while the broker is down.
func lostTimeIndex(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(2 * time.Minute)
	for _, topic := range []string{"intact", "damaged"} {
		c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: topic, Configs: map[string]string{"retention.ms": "-1", "internal.segment.bytes": "1000"}}))
		for _, stamp := range []time.Time{time.Now().Add(-day), time.Now()} {
			_, err := c.Produce(ctx, topic, 0, 800, stamp)
			c.Must(err)
		}
	}
	broker := c.Broker(1)
	broker.Stop()
	first := filepath.Join(broker.LogDir(), "damaged-0", "00000000000000000000")
	for _, kept := range []string{".log", ".index"} {
		if _, err := os.Stat(first + kept); err != nil {
			t.Fatal(err)
		}
	}
	c.Must(os.Remove(first + ".timeindex"))
	c.Must(broker.Start(ctx))
	truth := c.Truth(perSecond, kafkatest.Key{Topic: "intact"}, kafkatest.Key{Topic: "damaged"})
	for _, topic := range []string{"damaged", "intact"} {
		c.Must(c.AlterTopic(ctx, topic, map[string]string{"retention.ms": "3600000"}))
	}
	movedTo(ctx, c, truth, "intact", 1)
	time.Sleep(3 * time.Second) // three more passes
	if moves := truth.Changes(kafkatest.Key{Topic: "damaged"}); len(moves) > 0 {
		t.Errorf("the segment whose file is new is gone: %+v", moves)
	}
	old := time.Now().Add(-2 * time.Hour)
	c.Must(os.Chtimes(first+".log", old, old))
	movedTo(ctx, c, truth, "damaged", 1)
}

// zeroOnTheBroker: the broker ends while it reads its file.
func zeroOnTheBroker(t *testing.T, c *kafkatest.Cluster) {
	ctx := c.Context(2 * time.Minute)
	broker := c.Broker(1)
	broker.Stop()
	file := filepath.Join(filepath.Dir(broker.LogDir()), "server.properties")
	text, err := os.ReadFile(file)
	c.Must(err)
	before := len(broker.Log())
	c.Must(os.WriteFile(file, append(text, "log.retention.ms=0\n"...), 0o644))
	if err := broker.Start(ctx); err == nil {
		t.Fatal("it started")
	}
	if why := broker.Log()[before:]; !strings.Contains(why, "log.retention.ms must be unlimited (-1) or") {
		t.Errorf("it says:\n%s", why)
	}
}
