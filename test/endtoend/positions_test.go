package endtoend

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestPositionsKeptElsewhere shows a checkpoint file and an endpoint as groups of their names, beside a
// group of the cluster whose name a third source wanted. When the file is written no more, its job is
// unknown, neither before its time nor much later; the others are as they were.
func TestPositionsKeptElsewhere(t *testing.T) {
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{})
	ctx := c.Context(3 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "orders", Configs: map[string]string{"retention.ms": "3600000"}}))
	for i := range 10 {
		_, err := c.Produce(ctx, "orders", 0, 100, time.Now().Add(time.Duration(i-10)*time.Minute))
		c.Must(err)
	}
	c.Must(c.Commit(ctx, "taken", "orders", 0, 7))
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, positionsText(5)) }))
	defer endpoint.Close()

	binary := Build(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "job.json")
	config := filepath.Join(dir, "config.yml")
	writeFile(t, file, positionsText(3))
	writeFile(t, config, fmt.Sprintf("positions:\n- {name: job, file: %s, max-age: 8s}\n- {name: taken, file: %[1]s}\n- {name: mirror, url: %q}\n", file, endpoint.URL))
	program := Run(t, binary, c.Addresses(), nil, "--config.file="+config)

	lag := func(group string) string { return Of("group_lag_records", group, "orders", 0) }
	floor := Of(FloorMetric, "job", "orders", 0)
	first := program.Await(t, "all three", Patience, func(p Page) bool {
		return p.Has(lag("job"), lag("mirror"), lag("taken"), floor)
	})
	if first[lag("job")] != 7 || first[lag("mirror")] != 5 || first[lag("taken")] != 3 {
		t.Errorf("lags of job, mirror and taken: %g, %g, %g", first[lag("job")], first[lag("mirror")], first[lag("taken")])
	}
	program.Await(t, "the taken name in the log", Patience, func(Page) bool {
		return strings.Contains(program.Log(), "cause=position_name_taken")
	})

	writeFile(t, file, positionsText(4))
	written := time.Now()
	program.Await(t, "what the file says now", Patience, func(p Page) bool { return p[lag("job")] == 6 })
	goesStale(t, program, "job", written, lag("mirror"), lag("taken"))
	writeFile(t, file, positionsText(10))
	program.Await(t, "the job again", Patience, func(p Page) bool { return p.Has(lag("job")) && p[StaleSeries] == 0 })

	writeFile(t, config, "") // it is read at the start only
	endpoint.Close()
	program.Await(t, "the endpoint unknown", Patience, func(p Page) bool { return !p.Any(lag("mirror")) })
}

func positionsText(offset int) string {
	return fmt.Sprintf(`{"positions": [{"topic": "orders", "partition": 0, "offset": %d}]}`, offset)
}

// writeFile replaces a file in one step, as README tells those who keep positions to do.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// goesStale waits until a source that is written no more, and good for 8 s, is unknown: neither before
// its time nor much later. Others stay as they were.
func goesStale(t *testing.T, program *Program, group string, written time.Time, others ...string) {
	t.Helper()
	stale := program.Await(t, group+" unknown", Patience, func(p Page) bool { return p[StaleSeries] == 1 })
	if age := time.Since(written); age < 8*time.Second || age > 14*time.Second {
		t.Errorf("%s is unknown after %v, where what it says is good for 8 s", group, age)
	}
	if left := stale.Mentioning(fmt.Sprintf("consumergroup=%q", group)); len(left) != 2 { // how old it is, and what was lost
		t.Errorf("left of %s: %v", group, left)
	}
	if age := float64(written.UnixMilli())/1000 - stale[fmt.Sprintf("group_positions_timestamp_seconds{consumergroup=%q}", group)]; age < -1 || age > 1 {
		t.Errorf("what %s says is said to be %g s older than it is", group, age)
	}
	if !stale.Has(others...) {
		t.Error("the others are gone as well")
	}
}
