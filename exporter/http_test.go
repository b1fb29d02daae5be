package exporter_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

func TestMetricsAreNegotiated(t *testing.T) {
	r := newRig(t, 30*time.Second, time.Now, healthyCluster)
	for _, c := range []struct{ accept, encoding, wantType, wantEncoding string }{
		{"", "", "text/plain; version=0.0.4", ""},
		{"text/plain", "gzip", "text/plain; version=0.0.4", "gzip"},
		{"application/openmetrics-text;version=1.0.0", "br, gzip;q=0.5", "application/openmetrics-text; version=1.0.0", "gzip"},
		{"application/openmetrics-text;version=1.0.0", "gzip;q=0, identity", "application/openmetrics-text; version=1.0.0", ""},
	} {
		w := r.get("/metrics", "Accept", c.accept, "Accept-Encoding", c.encoding)
		if got := w.Header().Get("Content-Type"); !strings.HasPrefix(got, c.wantType) {
			t.Errorf("Accept %q: Content-Type %q", c.accept, got)
		}
		if got := w.Header().Get("Content-Encoding"); got != c.wantEncoding {
			t.Errorf("Accept-Encoding %q: Content-Encoding %q", c.encoding, got)
		}
		body := w.Body.String()
		if c.wantEncoding == "gzip" {
			body = unzip(t, w.Body)
		}
		if !strings.Contains(body, "\nkafka_retention_up 0") {
			t.Errorf("Accept %q: no kafka_retention_up in %d bytes", c.accept, len(body))
		}
		if om := strings.HasPrefix(c.wantType, "application"); om != strings.HasSuffix(body, "# EOF\n") {
			t.Errorf("Accept %q: OpenMetrics end line is %t", c.accept, !om)
		}
	}
}

func unzip(t *testing.T, r io.Reader) string {
	t.Helper()
	z, err := gzip.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// TestPageIsRenderedOncePerPollAndAgainWhenSomethingBecomesStale counts how often a collector
// that is registered beside the exporter's own is collected: once per rendering, plain and packed.
func TestPageIsRenderedOncePerPollAndAgainWhenSomethingBecomesStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		hung := make(chan struct{})
		r := newRig(t, 30*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			if time.Since(begin) > 40*time.Second {
				<-hung
			}
			return healthyCluster(now)
		})
		var renderings atomic.Int64 // the loop renders too
		count := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "renderings", Help: "For the test."}, func() float64 {
			return float64(renderings.Add(1))
		})
		var err error
		if r.handler, err = r.runtime.Handler("/metrics", count); err != nil {
			t.Fatal(err)
		}
		scrapes := func(when string, want int64) {
			t.Helper()
			synctest.Wait()
			for range 3 {
				r.get("/metrics")
				r.get("/metrics", "Accept-Encoding", "gzip")
			}
			if got := renderings.Load(); got != want {
				t.Errorf("%s: %d renderings, want %d", when, got, want)
			}
		}
		r.start()
		scrapes("after the first poll", 2)
		time.Sleep(10 * time.Second)
		scrapes("later in the same interval", 2)
		time.Sleep(25 * time.Second)
		scrapes("after the second poll", 4)
		time.Sleep(60 * time.Second)
		scrapes("the third poll hangs, nothing is stale yet", 4)
		time.Sleep(30 * time.Second)
		scrapes("everything is stale", 6)
		time.Sleep(time.Hour)
		scrapes("nothing more can become stale", 6)
		close(hung)
	})
}

func TestForecastsAsJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, variedCluster)
		r.predictor.report = func(s *model.Snapshot, now model.Instant) *predictor.Report {
			report := variedReport(s, now)
			report.Pairs[1].Inputs = predictor.Inputs{
				LogStart: model.Known(model.Offset(10)), End: model.Known(model.Offset(100)), Size: model.Known(model.Bytes(9000)),
				RetentionMs: model.Known(model.Millis(86_400_000)), Pace: model.Known(1.5), GroupState: "Stable", Leader: model.Known(model.BrokerID(1)),
			}
			return report
		}
		r.start()
		synctest.Wait()
		var indented bytes.Buffer
		if err := json.Indent(&indented, r.get("/api/v1/forecasts").Body.Bytes(), "", "  "); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, "testdata/forecasts.golden.json", indented.String())
	})
}

func TestForecastsBeforeTheFirstPollAreAnEmptyList(t *testing.T) {
	r := newRig(t, 30*time.Second, time.Now, healthyCluster)
	var got struct {
		Up       bool  `json:"up"`
		LastPoll any   `json:"last_poll"`
		Pairs    []any `json:"pairs"`
	}
	if err := json.Unmarshal(r.get("/api/v1/forecasts").Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Up || got.LastPoll != nil || got.Pairs == nil || len(got.Pairs) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestInstantsBeyondTheCalendarAreGivenInSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, healthyCluster)
		r.predictor.report = func(s *model.Snapshot, now model.Instant) *predictor.Report {
			report := simpleReport(s, now)
			report.Pairs[0].Loss, report.Pairs[0].Latest = model.Known(model.Instant(1e18)), model.Known(model.Forever)
			return report
		}
		r.start()
		synctest.Wait()
		if body := r.get("/api/v1/forecasts").Body.String(); !strings.Contains(body, `"loss":{"time":null,"unix":1000000000000000},`) {
			t.Errorf("got %s", body)
		}
		if page := r.get("/").Body.String(); !strings.Contains(page, "31688058 years") {
			t.Errorf("got %s", page)
		}
	})
}

func TestEveryAnswerHasSecurityHeaders(t *testing.T) {
	r := newRig(t, 30*time.Second, time.Now, healthyCluster)
	for _, path := range []string{"/", "/pair", "/status.css", "/status.js", "/metrics", "/api/v1/forecasts", "/-/healthy", "/-/ready", "/nothing"} {
		h := r.get(path).Header()
		if h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: headers %v", path, h)
		}
	}
}

func TestUnknownPathsAndMethodsAreRefused(t *testing.T) {
	r := newRig(t, 30*time.Second, time.Now, healthyCluster)
	if got := r.get("/nothing").Code; got != http.StatusNotFound {
		t.Errorf("unknown path: status %d", got)
	}
	for _, path := range []string{"/metrics", "/api/v1/forecasts", "/", "/-/healthy"} {
		w := httptest.NewRecorder()
		r.handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, nil))
		if w.Code != http.StatusMethodNotAllowed {
			t.Errorf("POST %s: status %d", path, w.Code)
		}
	}
}

func TestTelemetryPath(t *testing.T) {
	r := newRig(t, 30*time.Second, time.Now, healthyCluster)
	for path, want := range map[string]string{
		"/m/etrics": "",
		"metrics":   `check telemetry path: must be a plain path that starts with / (got "metrics")`,
		"/{x}":      `check telemetry path: must be a plain path that starts with / (got "/{x}")`,
		"/":         "check telemetry path: / is taken by another page",
		"/-/ready":  "check telemetry path: /-/ready is taken by another page",
	} {
		_, err := r.runtime.Handler(path)
		if got := errorText(err); got != want {
			t.Errorf("%s: error %q, want %q", path, got, want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
