package exporter_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// TestRequestsInHeapsAreRefused: questions that wait for brokers take the places of questions, not
// those of scrapes and probes.
func TestRequestsInHeapsAreRefused(t *testing.T) {
	const atOnce = 8
	r := newRig(t, time.Hour, time.Now, healthyCluster)
	release, waiting := make(chan struct{}), make(chan struct{}, 1)
	r.predictor.logs = func(string, model.Instant) []predictor.Log {
		select {
		case waiting <- struct{}{}:
		default:
		}
		<-release
		return nil
	}
	r.start()
	for !r.runtime.Ready() {
		time.Sleep(time.Millisecond)
	}
	const question = "/api/v1/whatif?topic=orders&set=retention.ms=1000"
	var running sync.WaitGroup
	codes := make(chan int, atOnce)
	for range atOnce {
		running.Go(func() {
			code := r.get(question).Code
			for ; code == http.StatusServiceUnavailable; code = r.get(question).Code {
				time.Sleep(time.Millisecond) // the place was taken by one of the checks below
			}
			codes <- code
		})
	}
	<-waiting
	refused := r.get("/api/v1/check") // waits for nobody
	for end := time.Now().Add(time.Minute); refused.Code != http.StatusServiceUnavailable && time.Now().Before(end); refused = r.get("/api/v1/check") {
		time.Sleep(time.Millisecond) // until the last of them is under way
	}
	if refused.Code != http.StatusServiceUnavailable || refused.Header().Get("Retry-After") == "" {
		t.Errorf("one question too many: status %d, headers %v", refused.Code, refused.Header())
	}
	for _, path := range []string{"/metrics", "/", "/api/v1/forecasts", "/-/healthy", "/-/ready"} {
		if got := r.get(path).Code; got != http.StatusOK {
			t.Errorf("%s: status %d while questions wait", path, got)
		}
	}
	close(release)
	running.Wait()
	for range atOnce {
		if got := <-codes; got != http.StatusOK {
			t.Errorf("a question that was under way: status %d", got)
		}
	}
	if got := r.get(question).Code; got != http.StatusOK {
		t.Errorf("afterwards: status %d", got)
	}
}

// TestNoProfilesAreServed: nobody asked for them.
func TestNoProfilesAreServed(t *testing.T) {
	r := newRig(t, time.Hour, time.Now, healthyCluster)
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/vars"} {
		if got := r.get(path).Code; got != http.StatusNotFound {
			t.Errorf("%s: status %d", path, got)
		}
	}
}
