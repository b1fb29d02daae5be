package collector_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"kafka-retention-exporter/model"
)

// TestBesideABrokerItsOwnPartitionsAreWatched: a program beside each broker asks for what that broker
// leads, so that together they ask once. It may be told to watch all, and does so where the log dir says
// nothing of whose it is.
func TestBesideABrokerItsOwnPartitionsAreWatched(t *testing.T) {
	const cluster, broker = "one", 1
	f := newFake(t, kfake.ClusterID(cluster))
	f.topic("spread", nil, 0, broker, 2)
	for p := range int32(3) {
		f.produce("spread", p, 1000)
	}
	f.commit("group", "spread", 0, 1)
	all, own := []int32{0, 1, 2}, []int32{broker}
	for name, c := range map[string]struct {
		dirs    []string
		all     bool
		want    []int32
		problem string
	}{
		"no log dir":              {nil, false, all, ""},
		"its log dir":             {[]string{logDirOf(t, cluster, broker)}, false, own, ""},
		"two of them":             {[]string{logDirOf(t, cluster, broker), logDirOf(t, cluster, broker)}, false, own, ""},
		"all leaders":             {[]string{logDirOf(t, cluster, broker)}, true, all, ""},
		"that of another cluster": {[]string{logDirOf(t, "two", broker)}, false, all, "other_cluster"},
		"none that can be read":   {[]string{t.TempDir()}, false, all, "file_missing"},
	} {
		t.Run(name, func(t *testing.T) {
			config := f.steady()
			config.LogDirs, config.AllLeaders = c.dirs, c.all
			s := poll(t, newCollector(t, config), clock())
			if got := partitionsOf(s, "spread"); !slices.Equal(got, c.want) {
				t.Errorf("partitions %v are watched, want %v", got, c.want)
			}
			if c.problem == "" && len(s.Problems) > 0 {
				t.Errorf("problems: %+v", s.Problems)
			} else if c.problem != "" {
				problem(t, s, model.StageLogDirs, c.problem)
			}
		})
	}
}

// logDirOf is a log dir of a broker without any log.
func logDirOf(t *testing.T, cluster string, broker int) string {
	t.Helper()
	dir := t.TempDir()
	text := fmt.Sprintf("version=1\nnode.id=%d\ncluster.id=%s\n", broker, cluster)
	if err := os.WriteFile(filepath.Join(dir, "meta.properties"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// partitionsOf are those of a topic whose end was read.
func partitionsOf(s *model.Snapshot, topic string) (numbers []int32) {
	for key, p := range s.Partitions {
		if _, ok := p.End.Get(); ok && key.Topic == topic {
			numbers = append(numbers, key.Partition)
		}
	}
	slices.Sort(numbers)
	return numbers
}
