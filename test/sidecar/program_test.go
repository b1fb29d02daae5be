package sidecar

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestProgramBesideABroker runs the program as it is shipped beside a broker.
func TestProgramBesideABroker(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{})
	binary := endtoend.Build(t)
	t.Run("shows what is in the files", func(t *testing.T) { showsFiles(t, c.For(t), binary) })
	t.Run("leaves them as they are, however it ends", func(t *testing.T) { leavesFiles(t, c.For(t), binary) })
}

// showsFiles has a log of one record a segment: two that are deleted, one that is kept for ten
// minutes yet, one behind it that has expired, and two that are younger.
func showsFiles(t *testing.T, c *kafkatest.Cluster, binary string) {
	ctx := c.Context(2 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "orders", Configs: map[string]string{
		"retention.ms": "3600000", "internal.segment.bytes": "300", "file.delete.delay.ms": "600000",
	}}))
	now := time.Now()
	var stamps []time.Time
	for _, minutes := range []time.Duration{55, 54, 50, 120, 40, 30} {
		stamps = append(stamps, now.Add(-minutes*time.Minute).Truncate(time.Millisecond))
		_, err := c.Produce(ctx, "orders", 0, record, stamps[len(stamps)-1])
		c.Must(err)
	}
	c.Must(c.DeleteRecords(ctx, "orders", 0, 2))
	folder := filepath.Join(c.Broker(1).LogDir(), "orders-0")
	deleted := awaitSize(ctx, t, folder, ".log.deleted", 2)
	kept := sizes(t, folder, ".log")

	p := endtoend.Run(t, binary, c.Addresses(), nil, "--log.dirs="+c.Broker(1).LogDir())
	due := seconds(stamps[2]) + 3600
	for name, want := range map[string]func(float64) bool{
		"segments":              exactly(4),
		"replica_deleted_bytes": exactly(sum(deleted)),
		"replica_oldest_record_timestamp_seconds": exactly(seconds(stamps[2])),
		"replica_newest_record_timestamp_seconds": exactly(seconds(stamps[5])),
		"replica_blocking_segment_base_offset":    exactly(2),
		// Within one check of when it is due, and not before.
		"replica_next_deletion_timestamp_seconds": func(v float64) bool { return v >= due && v <= due+check.Seconds()+1 },
		"replica_next_deletion_segments":          exactly(2),
		"replica_next_deletion_bytes":             exactly(kept["00000000000000000002.log"] + kept["00000000000000000003.log"]),
		"replica_next_deletion_offsets":           exactly(2),
	} {
		awaitSample(ctx, t, p, "kafka_retention_"+name, want)
	}
}

func exactly(want float64) func(float64) bool { return func(v float64) bool { return v == want } }

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// sizes are those of the files with an ending.
func sizes(t *testing.T, folder, ending string) map[string]float64 {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ending) {
			out[e.Name()] = float64(info.Size())
		}
	}
	return out
}

func sum(of map[string]float64) (all float64) {
	for v := range maps.Values(of) {
		all += v
	}
	return all
}

// awaitSize waits until so many files have that ending.
func awaitSize(ctx context.Context, t *testing.T, folder, ending string, files int) map[string]float64 {
	t.Helper()
	for ctx.Err() == nil {
		if found := sizes(t, folder, ending); len(found) == files {
			return found
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatalf("there were never %d files %s", files, ending)
	return nil
}

// awaitSample scrapes until the broker's sample of the topic is as wanted.
func awaitSample(ctx context.Context, t *testing.T, p *endtoend.Program, name string, wanted func(float64) bool) {
	t.Helper()
	last := "nothing"
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until) && ctx.Err() == nil; time.Sleep(300 * time.Millisecond) {
		body, _ := p.Get("/metrics")
		for line := range strings.Lines(string(body)) {
			if !strings.HasPrefix(line, name+"{") || !strings.Contains(line, `broker="1"`) || !strings.Contains(line, `topic="orders"`) {
				continue
			}
			last = strings.TrimSpace(line[strings.LastIndexByte(line, ' '):])
			if v, err := strconv.ParseFloat(last, 64); err == nil && wanted(v) {
				return
			}
		}
	}
	t.Errorf("%s is %s", name, last)
}

// kills is how often the program is killed.
const kills = 30

// leavesFiles kills the program at any moment of its first readings. No file changes that the broker
// does not change itself, none comes or goes, and whatever of them it has open, it only reads.
func leavesFiles(t *testing.T, c *kafkatest.Cluster, binary string) {
	ctx := c.Context(3 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "wide", Partitions: 200}))
	for p := range int32(200) {
		_, err := c.Produce(ctx, "wide", p, record, time.Now())
		c.Must(err)
	}
	dir := c.Broker(1).LogDir()
	before := atRest(ctx, t, dir)
	random, open := rand.New(rand.NewSource(3)), 0
	for range kills {
		p := endtoend.Run(t, binary, c.Addresses(), nil, "--log.dirs="+dir)
		for until := time.Now().Add(time.Duration(random.Intn(1500)) * time.Millisecond); time.Now().Before(until); {
			open += reads(t, p.PID(), dir)
		}
		p.Kill()
	}
	after := pictures(t, dir)
	for name, was := range before {
		if after[name] != was {
			t.Errorf("%s was %s and is %s", name, was, after[name])
		}
	}
	for name := range after {
		if _, there := before[name]; !there {
			t.Errorf("%s was not there before", name)
		}
	}
	t.Logf("%d files, %d times seen open for reading", len(before), open)
	if len(before) < 200*3 {
		t.Errorf("only %d files", len(before))
	}
}

// atRest are the pictures once the broker has written down what it writes behind the records.
func atRest(ctx context.Context, t *testing.T, dir string) map[string]string {
	t.Helper()
	last := pictures(t, dir)
	for ctx.Err() == nil {
		time.Sleep(3 * time.Second)
		now := pictures(t, dir)
		if maps.Equal(now, last) {
			return now
		}
		last = now
	}
	t.Fatal("the broker never rests")
	return nil
}

// pictures are inode, time of change and contents of all files that the broker itself lets be while
// nothing is produced: those of the two topics. The indexes of active segments are 10 MB each, 4 GB in all, so
// that they are read in pieces and summed up by what a processor does best.
func pictures(t *testing.T, dir string) map[string]string {
	t.Helper()
	out, piece := map[string]string{}, make([]byte, 256<<10)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		folder := filepath.Dir(name)
		if folder == "." || !strings.HasPrefix(folder, "wide-") && folder != "orders-0" {
			return nil // checkpoints, the metadata log and the offsets topic are written all the time
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		size, sum, err := contents(path, piece)
		out[name] = fmt.Sprintf("inode %d, %v, mode %v, %d bytes %x", info.Sys().(*syscall.Stat_t).Ino, info.ModTime(), info.Mode(), size, sum)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// contents are the length of a file and a checksum.
func contents(path string, piece []byte) (size int64, sum uint32, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = f.Close() }()
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	size, err = io.CopyBuffer(h, struct{ io.Reader }{f}, piece)
	return size, h.Sum32(), err
}

// reads counts the files of the log dir that a process has open, and fails for one that it may write.
func reads(t *testing.T, pid int, dir string) (open int) {
	t.Helper()
	descriptors := fmt.Sprintf("/proc/%d/fd", pid)
	entries, _ := os.ReadDir(descriptors) // it may be gone
	for _, e := range entries {
		target, err := os.Readlink(filepath.Join(descriptors, e.Name()))
		if err != nil || !strings.HasPrefix(target, dir) {
			continue
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%s", pid, e.Name()))
		_, flags, ok := strings.Cut(string(text), "flags:")
		if err != nil || !ok {
			continue
		}
		if again, _ := os.Readlink(filepath.Join(descriptors, e.Name())); again != target {
			continue // the number is another's by now
		}
		bits, err := strconv.ParseInt(strings.Fields(flags)[0], 8, 64)
		if open++; err != nil || bits&syscall.O_ACCMODE != syscall.O_RDONLY {
			t.Errorf("%s is open with flags %s", target, flags)
		}
	}
	return open
}
