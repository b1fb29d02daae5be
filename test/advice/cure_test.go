package advice

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

var (
	setting   = regexp.MustCompile(`^kafka-configs\.sh --bootstrap-server "\$BOOTSTRAP" --alter --entity-type topics --entity-name (\S+) --add-config '([^']*)'`)
	deletion  = regexp.MustCompile(`^echo '([^']*)' >offsets\.json && kafka-delete-records\.sh --bootstrap-server "\$BOOTSTRAP" --offset-json-file offsets\.json`)
	resetting = regexp.MustCompile(`^kafka-consumer-groups\.sh --bootstrap-server "\$BOOTSTRAP" --group GROUP --topic (\S+) --reset-offsets --to-earliest --execute$`)
)

// cure does what a command line says, as Kafka's own tools would.
func cure(t *testing.T, c *kafkatest.Cluster, line string) {
	t.Helper()
	ctx := c.Context(30 * time.Second)
	if m := setting.FindStringSubmatch(line); m != nil {
		c.Must(c.AlterTopic(ctx, m[1], settingsOf(m[2])))
		return
	}
	if m := resetting.FindStringSubmatch(line); m != nil {
		c.Must(c.Commit(ctx, "reader", m[1], 0, 0))
		return
	}
	m := deletion.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("no known command line: %s", line)
	}
	var file struct {
		Partitions []struct {
			Topic     string
			Partition int32
			Offset    int64
		}
	}
	if err := json.Unmarshal([]byte(m[1]), &file); err != nil {
		t.Fatal(err)
	}
	for _, p := range file.Partitions {
		c.Must(c.DeleteRecords(ctx, p.Topic, p.Partition, p.Offset))
	}
}

// settingsOf reads name=value,name=value, where a value in brackets may hold commas.
func settingsOf(text string) map[string]string {
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`([^=,]+)=(\[[^\]]*\]|[^,]*)`).FindAllStringSubmatch(text, -1) {
		out[m[1]] = strings.Trim(m[2], "[]")
	}
	return out
}
