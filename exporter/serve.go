package exporter

import (
	"bytes"
	"embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

//go:embed status.html status_pair.html status_parts.html status.css status.js status.svg
var assets embed.FS

// Handler serves the exporter over HTTP: metrics under the given path, JSON, health and the
// status page. The extra collectors are served beside the exporter's own, on /metrics only.
func (r *Runtime) Handler(telemetryPath string, extra ...prometheus.Collector) (http.Handler, error) {
	if err := CheckTelemetryPath(telemetryPath); err != nil {
		return nil, fmt.Errorf("check telemetry path: %w", err)
	}
	status, err := newStatusPages(r, telemetryPath)
	if err != nil {
		return nil, err
	}
	h := &handler{runtime: r, pages: &pages{}, extra: extra}
	if _, err := h.gatherer(r.view()); err != nil {
		return nil, fmt.Errorf("register collectors: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+telemetryPath, h.metrics)
	mux.HandleFunc("GET /api/v1/forecasts", h.fixed("application/json; charset=utf-8", renderForecasts))
	mux.HandleFunc("GET /api/v1/check", h.asked(h.check))
	mux.HandleFunc("GET /api/v1/whatif", h.asked(h.whatIf))
	mux.HandleFunc("GET /api/v1/plan", h.asked(h.plan))
	mux.HandleFunc("GET /-/healthy", answer(r.Healthy, "Healthy.", "The poll loop has made no progress for too long."))
	mux.HandleFunc("GET /-/ready", answer(r.Ready, "Ready.", "No poll has reached a broker yet."))
	mux.HandleFunc("GET /{$}", status.serveList)
	mux.HandleFunc("GET /pair", status.servePair)
	for _, asset := range []string{"/status.css", "/status.js", "/status.svg"} {
		mux.Handle("GET "+asset, http.FileServerFS(assets))
	}
	return secured(mux), nil
}

// CheckTelemetryPath refuses paths that are taken, or that the router would read as a pattern.
func CheckTelemetryPath(path string) error {
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "{} ?#") {
		return fmt.Errorf("must be a plain path that starts with / (got %q)", path)
	}
	switch path {
	case "/", "/pair", "/status.css", "/status.js", "/status.svg", "/api/v1/forecasts", "/api/v1/check", "/api/v1/whatif", "/api/v1/plan", "/-/healthy", "/-/ready":
		return fmt.Errorf("%s is taken by another page", path)
	}
	return nil
}

type handler struct {
	runtime *Runtime
	pages   *pages
	extra   []prometheus.Collector
}

// metrics serves the page in the format that the scraper likes best.
func (h *handler) metrics(w http.ResponseWriter, req *http.Request) {
	format := expfmt.NegotiateAccept(req.Header, expfmt.DefaultOpenMetricsAcceptedFormats()...)
	w.Header().Add("Vary", "Accept")
	h.serve(w, req, string(format), func(buf *bytes.Buffer, v *view) error {
		return h.encode(buf, v, format)
	})
}

// fixed serves a page that has one format only.
func (h *handler) fixed(contentType string, render renderer) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) { h.serve(w, req, contentType, render) }
}

func (h *handler) serve(w http.ResponseWriter, req *http.Request, contentType string, render renderer) {
	zipped := acceptsGzip(req)
	body, err := h.pages.get(contentType, h.runtime.view(), zipped, render)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Add("Vary", "Accept-Encoding")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if zipped {
		header.Set("Content-Encoding", "gzip")
	}
	_, _ = w.Write(body) // the client has gone: nobody is left to be told
}

// gatherer is a registry over one view.
func (h *handler) gatherer(v *view) (prometheus.Gatherer, error) {
	registry := prometheus.NewRegistry()
	for _, c := range append(h.runtime.collectors(func() *view { return v }), h.extra...) {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return registry, nil
}

func (h *handler) encode(buf *bytes.Buffer, v *view, format expfmt.Format) error {
	registry, err := h.gatherer(v)
	if err != nil {
		return fmt.Errorf("register collectors: %w", err)
	}
	families, err := registry.Gather()
	if err != nil {
		return fmt.Errorf("gather metrics: %w", err)
	}
	encoder := expfmt.NewEncoder(buf, format)
	for _, f := range families {
		if err := encoder.Encode(f); err != nil {
			return fmt.Errorf("encode %s: %w", f.GetName(), err)
		}
	}
	if closer, ok := encoder.(expfmt.Closer); ok {
		return closer.Close() // OpenMetrics ends with a line of its own
	}
	return nil
}

// answer is a probe: 200 with one line while good, 503 with the other otherwise. It reads two
// atomic values and waits for nothing, so a slow cluster cannot make a probe time out.
func answer(good func() bool, yes, no string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if !good() {
			http.Error(w, no, http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, yes)
	}
}

// secured adds the headers that keep a browser from doing more with a page than show it.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, req)
	})
}
