package virtual

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
	"kafka-retention-exporter/test/fakebroker"
	"kafka-retention-exporter/test/invariants"
	"kafka-retention-exporter/test/locked"
)

const (
	retention = 36 * time.Hour
	check     = 5 * time.Minute
	clockOff  = time.Minute
)

var orders = model.PartitionKey{Topic: "orders"}

// said is one forecast, and when it was made by the brokers' clock.
type said struct {
	at model.Instant
	predictor.Forecast
}

// week is a cluster and an exporter that watches it.
type week struct {
	t       *testing.T
	cluster *fakebroker.Cluster
	begin   time.Time
	poll    time.Duration
	tick    time.Duration // how often records come and groups commit
	file    string
	log     locked.Buffer

	end      model.Offset
	position map[string]model.Offset
	said     map[string][]said
	audits   []predictor.Audit // of each exporter, its last
	restarts int
}

// ears is a predictor whose reports are heard.
type ears struct {
	*predictor.Predictor
	week *week
}

// Report notes what is said.
func (e ears) Report(now model.Instant) *predictor.Report {
	r := e.Predictor.Report(now)
	for _, f := range r.Pairs {
		name := f.Key.Group
		e.week.said[name] = append(e.week.said[name], said{model.InstantOf(time.Now()), f})
	}
	e.week.audits[len(e.week.audits)-1] = r.Audit
	return r
}

// watch runs an exporter until ctx ends, as the program does, with a clock that is off.
func (w *week) watch(ctx context.Context) {
	config := collector.Default()
	config.Brokers, config.Dial = w.cluster.Addresses(), w.cluster.Dial
	c, err := collector.New(config)
	if err != nil {
		w.t.Error(err)
		return
	}
	defer c.Close()
	w.audits = append(w.audits, predictor.Audit{})
	p := predictor.New(predictor.Config{Poll: model.MillisOf(w.poll), ClockTolerance: model.MillisOf(clockOff)})
	clock := func() time.Time { return time.Now().Add(clockOff) }
	logger := slog.New(slog.NewTextHandler(&w.log, nil))
	r, err := exporter.New(exporter.Config{PollInterval: w.poll, SizesEvery: config.SizesEvery, StateFile: w.file}, c, ears{p, w}, clock, logger)
	if err != nil {
		w.t.Error(err)
		return
	}
	handler, err := r.Handler("/metrics")
	if err != nil {
		w.t.Error(err)
		return
	}
	checker := invariants.New()
	scraping, ended := make(chan struct{}), ctx.Done()
	go func() {
		defer close(scraping)
		for {
			select {
			case <-ended:
				return
			case <-time.After(time.Hour):
			}
			page := httptest.NewRecorder()
			handler.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/metrics", nil))
			if err := checker.Check(page.Body); err != nil {
				w.t.Errorf("%v: %v", time.Since(w.begin), err)
			}
		}
	}()
	r.Run(ctx)
	<-scraping
}

// produce appends what comes in a tick: much by day, little by night and at the weekend.
func (w *week) produce() {
	now := time.Now()
	n := 2
	switch weekend := now.Weekday() == time.Saturday || now.Weekday() == time.Sunday; {
	case now.Hour() < 8 || now.Hour() >= 20:
	case weekend:
		n = 4
	default:
		n = 12
	}
	records := make([]fakebroker.Record, n)
	for i := range records {
		records[i] = fakebroker.Record{Stamp: model.InstantOf(now), Value: []byte("twenty bytes of text")}
	}
	first, err := w.cluster.Produce(w.t.Context(), orders.Topic, 0, records...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.end = first + model.Offset(n)
}

func (w *week) commit(group string, o model.Offset) {
	if o == w.position[group] {
		return
	}
	w.position[group] = o
	if err := w.cluster.Commit(w.t.Context(), group, orders.Topic, 0, o); err != nil {
		w.t.Fatal(err)
	}
}

const (
	stops   = 3*24*time.Hour + 11*time.Hour // when one group stops
	skipped = 5                             // the night in which the job does not run
	job     = 2 * time.Hour                 // after midnight
	jobTime = 30 * time.Minute
)

// move moves the groups: one keeps up, one does so until it stops, and one is a nightly job.
func (w *week) move() {
	since := time.Since(w.begin)
	w.commit("live", w.end)
	if since < stops {
		w.commit("stops", w.end)
	}
	night, into := int(since/(24*time.Hour)), since%(24*time.Hour)-job
	if into >= 0 && into <= jobTime && night != skipped {
		left := float64(jobTime-into) / float64(jobTime)
		at := w.position["nightly"]
		w.commit("nightly", at+model.Offset(float64(w.end-at)*min(1, 2*(1-left))))
	}
}

// play lets days pass; the exporter is restarted once a day and is away for four minutes.
func (w *week) play(d time.Duration) {
	ctx, stop := context.WithCancel(w.t.Context())
	done := make(chan struct{})
	start := func() {
		ctx, stop = context.WithCancel(w.t.Context())
		done = make(chan struct{})
		go func() { defer close(done); w.watch(ctx) }()
	}
	start()
	for time.Since(w.begin) < d {
		w.produce()
		w.move()
		switch time.Since(w.begin) % (24 * time.Hour) {
		case 12*time.Hour + 36*time.Minute:
			stop()
			<-done
		case 12*time.Hour + 40*time.Minute:
			w.restarts++
			start()
		}
		time.Sleep(w.tick)
	}
	stop()
	<-done
}

// TestAWeek is the week.
func TestAWeek(t *testing.T) {
	poll, tick := 4*time.Minute, 4*time.Minute
	if os.Getenv("KRE_FULL") != "" {
		poll, tick = 30*time.Second, time.Minute
	}
	synctest.Test(t, func(t *testing.T) {
		c, err := fakebroker.Start(t.Context(), fakebroker.Options{CheckInterval: check, Phase: 77 * time.Second, Network: &kfake.VirtualNetwork{}})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}()
		if err := c.CreateTopic(t.Context(), orders.Topic, 1, map[string]string{"retention.ms": "129600000", "segment.ms": "3600000"}); err != nil {
			t.Fatal(err)
		}
		w := &week{
			t: t, cluster: c, begin: time.Now(), poll: poll, tick: tick, file: filepath.Join(t.TempDir(), "state"),
			position: map[string]model.Offset{}, said: map[string][]said{},
		}
		w.produce()
		w.commit("nightly", 0)
		w.play(7*24*time.Hour + 12*time.Hour)
		w.judgeFloors()
		w.judgeLive()
		w.judgeStopped()
		w.judgeNightly()
		w.judgeAudit()
		if t.Failed() {
			t.Logf("the log:\n%s", w.log.Tail(4000))
		}
	})
}

// truth is when the log start passed a position by the brokers' clock.
func (w *week) truth(o model.Offset) (model.Instant, bool) {
	change, ok := w.cluster.Passed(orders, o)
	return change.At, ok
}

// judgeFloors: none was late, though the clock of the exporter was.
func (w *week) judgeFloors() {
	floors, late := 0, 0
	for name, all := range w.said {
		for _, f := range all {
			position, p := f.Position.Get()
			floor, ok := f.Floor.Get()
			truth, passed := w.truth(position)
			if !p || !ok || !passed || isLost(f.Forecast) {
				continue
			}
			if floors++; floor > truth {
				if late++; late < 5 {
					w.t.Errorf("%s at %v: the floor of %d is %v, but it was gone at %v", name, f.at, position, floor, truth)
				}
			}
		}
	}
	w.t.Logf("%d floors of positions that were deleted later, %d late", floors, late)
	if floors < 1000 {
		w.t.Errorf("only %d floors could be judged", floors)
	}
}

func isLost(f predictor.Forecast) bool {
	s, _ := f.State.Get()
	return s == predictor.Lost
}

// judgeLive: a group that keeps up never has a loss in sight, restarts and all.
func (w *week) judgeLive() {
	for _, f := range w.said["live"] {
		if at, ok := f.Loss.Get(); ok && at != model.Forever {
			w.t.Fatalf("at %v live loses records at %v (%v)", f.at, at, f.State)
		}
		if f.LostOffsets != 0 {
			w.t.Fatalf("live lost %d", f.LostOffsets)
		}
	}
}

// judgeStopped: the runway of a group that stands still is right to a few minutes from the
// beginning, its state is stalled soon and stays so, and what it lost is counted to the last record.
func (w *week) judgeStopped() {
	all := w.said["stops"]
	stopped := model.InstantOf(w.begin.Add(stops))
	truth, ok := w.truth(w.position["stops"])
	if !ok {
		w.t.Fatal("the group that stopped lost nothing")
	}
	var off []model.Millis
	for _, f := range all {
		runway, ok := f.Stopped.Get()
		if f.at < stopped.Add(3_600_000) || f.at >= truth {
			continue
		}
		state, _ := f.State.Get()
		if !ok || state != predictor.Stalled {
			w.t.Errorf("at %v, %v after it stopped, the state is %v and the runway %v", f.at, f.at.Sub(stopped).Duration(), f.State, f.Stopped)
			return
		}
		off = append(off, max(runway.Sub(truth), truth.Sub(runway)))
	}
	slices.Sort(off)
	w.t.Logf("runway of the group that stopped: median error %v, worst %v", off[len(off)/2].Duration(), off[len(off)-1].Duration())
	if median, worst := off[len(off)/2], off[len(off)-1]; median > 3*60_000 || worst > 45*60_000 {
		w.t.Errorf("the runway is off by %v in the median and %v at worst", median.Duration(), worst.Duration())
	}
	last := all[len(all)-1]
	start, _ := last.Inputs.LogStart.Get()
	if got, want := last.LostOffsets, int64(start-w.position["stops"]); got != want || want == 0 {
		w.t.Errorf("%d offsets are counted as lost, want %d", got, want)
	}
}

// judgeNightly: a job that is on time is a batch without a loss ahead, over restarts too. The
// night it does not run, that is said before half of the time is gone that is left to act.
func (w *week) judgeNightly() {
	due := model.InstantOf(w.begin.Add(skipped*24*time.Hour + job))
	known := model.InstantOf(w.begin.Add(2*24*time.Hour + job + jobTime))
	var position model.Offset
	var announced model.Instant
	for _, f := range w.said["nightly"] {
		at, finite := f.Loss.Get()
		finite = finite && at < f.at.Add(model.MillisOf(retention)) // during a run, at its pace, it may be days ahead
		if f.at > known && f.at < due {
			position, _ = f.Position.Get()
			if state, _ := f.State.Get(); state != predictor.Batch || finite {
				w.t.Fatalf("at %v, on time, the job is %v and loses records at %v", f.at, f.State, f.Loss)
			}
		}
		if f.at >= due && finite && announced == 0 {
			announced = f.at
		}
	}
	truth, ok := w.truth(position)
	if !ok {
		w.t.Fatal("the skipped night cost nothing")
	}
	share := float64(announced.Sub(due)) / float64(truth.Sub(due))
	w.t.Logf("the skipped run is announced after %.2f of the time left (%v)", share, truth.Sub(due).Duration())
	if announced == 0 || share > 0.5 {
		w.t.Errorf("the skipped run is announced after %.2f of the time left", share)
	}
}

// judgeAudit: the exporter has scored itself, and knows that it is right.
func (w *week) judgeAudit() {
	var scored, hits int64
	for i, a := range w.audits {
		scored, hits = scored+a.Deadlines, hits+a.BandHits
		for cause, n := range a.Violations {
			if n > 0 {
				w.t.Errorf("exporter %d counts %d late floors: %v", i, n, cause)
			}
		}
	}
	last := w.audits[len(w.audits)-1].Recent
	w.t.Logf("%d restarts; %d deadlines scored, %d in their bands; of the last exporter %+v", w.restarts, scored, hits, last)
	if w.restarts != 7 && w.restarts != 8 || scored < 100 || hits*100 < scored*88 {
		w.t.Errorf("%d restarts; of %d deadlines %d came within their bands", w.restarts, scored, hits)
	}
}
