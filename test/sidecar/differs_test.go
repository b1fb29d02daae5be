package sidecar

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"kafka-retention-exporter/advice"
	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/watch"
)

// noneDiffers is for the files that the broker itself uses, while it writes and deletes.
func noneDiffers(t *testing.T, s watch.Sight) {
	t.Helper()
	local, _ := s.Snapshot.Local.Get()
	for key, r := range local.Replicas {
		if d, ok := r.Differs.Get(); ok {
			t.Errorf("%v differs: %+v", key, d)
		}
	}
}

// TestFilesThatDisagree names a copy of the log dir, which goes its own way: one log has grown since, and
// of another one the copy lacks the first segment. Both are findings from the third poll on, neither
// is before, and what the copy says of them is not used. The broker's own files have no such finding.
func TestFilesThatDisagree(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{})
	ctx := c.Context(time.Minute)
	for _, name := range []string{"grows", "begins", "same"} {
		c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: name, Configs: map[string]string{"internal.segment.bytes": "300"}}))
		for range 3 {
			_, err := c.Produce(ctx, name, 0, record, time.Now())
			c.Must(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "copy")
	c.Must(os.CopyFS(dir, os.DirFS(c.Broker(1).LogDir())))
	_, err := c.Produce(ctx, "grows", 0, record, time.Now())
	c.Must(err)
	c.Must(os.Remove(filepath.Join(dir, "begins-0", "00000000000000000000.log")))

	copied, own := watch.New(t, c.Addresses(), poll, dir), watch.New(t, c.Addresses(), poll, c.Broker(1).LogDir())
	for i := range 4 {
		found := map[string]bool{}
		sight := copied.Poll(ctx)
		for _, f := range advice.Findings(sight.Snapshot, sight.Report, nil, sight.Report.At) {
			if f.Kind == advice.FilesDisagree {
				found[f.Topic] = true
			}
		}
		if want := i >= 2; found["grows"] != want || found["begins"] != want || found["same"] {
			t.Errorf("poll %d: files disagree in %v", i, found)
		}
		noneDiffers(t, own.Poll(ctx))
		time.Sleep(50 * time.Millisecond) // a size is of a millisecond between two readings
	}
}
