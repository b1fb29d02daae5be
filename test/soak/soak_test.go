package soak

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/test/fakebroker"
)

// TestHeapStaysFlatForAWeek plays two days of polls to one exporter and seven to the next. What the
// first one holds at its end, when every history has its length, is all that the other may hold at
// its own, up to a fraction of what the names alone would be that it has met meanwhile. KRE_FULL=1 polls every 30 seconds instead of every twenty minutes.
func TestHeapStaysFlatForAWeek(t *testing.T) {
	interval := 20 * time.Minute
	if os.Getenv("KRE_FULL") == "1" {
		interval = 30 * time.Second
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		early := w.watched(2*24, interval)
		late := w.watched(7*24, interval)
		t.Logf("%d kB after two days, %d kB after a week", early/1000, late/1000)
		if most := early + slack; late > most {
			t.Errorf("after a week the exporter holds %d kB, want no more than %d", late/1000, most/1000)
		}
	})
}

// watched is how many bytes an exporter holds that has watched the world for so many hours: those
// that are free once it is gone.
func (w *world) watched(hours int, interval time.Duration) int64 {
	e := watch(w.t, w.cluster, interval)
	for range hours {
		w.turn()
		e.scrape()
		time.Sleep(time.Hour)
		synctest.Wait()
	}
	with := heap()
	polls := e.stop()
	e = nil
	synctest.Wait()
	without := heap()
	if want := hours * int(time.Hour/interval); polls < want {
		w.t.Errorf("%d polls, want %d", polls, want)
	}
	return with - without
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// world is a cluster of which a part is another one every hour.
type world struct {
	t       *testing.T
	cluster *fakebroker.Cluster
	admin   *kadm.Client
	hour    int
	end     map[string]model.Offset // what a topic's partitions hold
}

const (
	lasting    = 1 // topics that stay, with a group each
	passing    = 2 // topics that come every hour, with two groups each
	partitions = 1
	lifetime   = 4 // hours

	nameLength = 200
	// slack is what may be left of the topics of the five days between: a third of their names.
	slack = 5 * 24 * passing * nameLength * 2 / 3
)

func newWorld(t *testing.T) *world {
	cluster, err := fakebroker.Start(t.Context(), fakebroker.Options{
		Network: &kfake.VirtualNetwork{}, CheckInterval: time.Hour,
		Configs: map[string]string{"log.cleaner.backoff.ms": "3600000"}, // nothing is compacted, and looking costs time
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Close(); err != nil {
			t.Error(err)
		}
	})
	client, err := kgo.NewClient(cluster.ClientOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	w := &world{t: t, cluster: cluster, admin: kadm.NewClient(client), end: map[string]model.Offset{}}
	for i := range lasting {
		w.create(long("lasting-", i))
	}
	return w
}

// long is a name that is so long that whoever keeps it cannot hide it.
func long(parts ...any) string {
	name := fmt.Sprint(parts...)
	return name + "-" + strings.Repeat("x", nameLength-1-len(name))
}

func (w *world) create(topic string) {
	w.must(w.cluster.CreateTopic(w.t.Context(), topic, partitions, map[string]string{"retention.ms": "7200000", "segment.ms": "1800000"}))
	w.end[topic] = 0
}

// turn is what happens in an hour: names that nobody has heard of, and the end of others.
func (w *world) turn() {
	hour := w.hour
	w.hour++
	for i := range passing {
		w.create(long("passing-", hour, "-", i))
		if old := hour - lifetime; old >= 0 {
			w.remove(long("passing-", old, "-", i))
		}
	}
	for topic := range w.end {
		w.grow(topic, hour)
	}
}

// grow writes to a topic and lets its groups follow, one at its heels and one an hour behind.
func (w *world) grow(topic string, hour int) {
	ctx := w.t.Context()
	const batch = 5
	for p := range int32(partitions) {
		var records []fakebroker.Record
		for range batch {
			records = append(records, fakebroker.Record{Stamp: model.InstantOf(time.Now()), Value: make([]byte, 100)})
		}
		_, err := w.cluster.Produce(ctx, topic, p, records...)
		w.must(err)
		w.must(w.cluster.Commit(ctx, topic+".ahead", topic, p, w.end[topic]+batch))
		w.must(w.cluster.Commit(ctx, topic+".behind", topic, p, w.end[topic]))
	}
	w.end[topic] += batch
	if hour%6 == 0 { // a group that lives for hours only on a topic that stays
		w.must(w.cluster.Commit(ctx, long("visitor-", hour), long("lasting-", hour%lasting), 0, 0))
	}
	w.forget(long("visitor-", hour-lifetime))
}

func (w *world) remove(topic string) {
	delete(w.end, topic)
	w.must(w.cluster.DeleteTopic(w.t.Context(), topic))
	w.forget(topic + ".ahead")
	w.forget(topic + ".behind")
}

// forget deletes a group, if there is one.
func (w *world) forget(group string) {
	_, err := w.admin.DeleteGroups(w.t.Context(), group)
	w.must(err)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// watcher is the exporter, all of it but its command line.
type watcher struct {
	t       *testing.T
	handler http.Handler
	source  *counting
	cancel  context.CancelFunc
	done    chan struct{}
}

type counting struct {
	*collector.Collector
	polls int
}

// Poll counts. It is read when the loop has ended.
func (c *counting) Poll(ctx context.Context, now func() model.Instant) *model.Snapshot {
	c.polls++
	return c.Collector.Poll(ctx, now)
}

func watch(t *testing.T, cluster *fakebroker.Cluster, interval time.Duration) *watcher {
	config := collector.Default()
	config.Brokers, config.Dial = cluster.Addresses(), cluster.Dial
	source, err := collector.New(config)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	e := &watcher{t: t, source: &counting{Collector: source}, done: done}
	runtime, err := exporter.New(exporter.Config{PollInterval: interval, SizesEvery: config.SizesEvery}, e.source,
		predictor.New(predictor.Config{Poll: model.MillisOf(interval)}), time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if e.handler, err = runtime.Handler("/metrics"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e.cancel = cancel
	go func() { defer close(done); runtime.Run(ctx) }()
	return e
}

// scrape reads every page that is kept between polls.
func (e *watcher) scrape() {
	for _, path := range []string{"/metrics", "/", "/api/v1/forecasts"} {
		w := httptest.NewRecorder()
		e.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if _, err := io.Copy(io.Discard, w.Body); err != nil || w.Code != http.StatusOK {
			e.t.Fatalf("%s: status %d, %v", path, w.Code, err)
		}
	}
}

func (e *watcher) stop() (polls int) {
	e.cancel()
	<-e.done
	e.source.Close()
	return e.source.polls
}
