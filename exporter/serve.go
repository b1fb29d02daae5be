package exporter

import (
	"embed"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
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
	h := &handler{runtime: r, extra: extra}
	v := r.view()
	if _, err := h.gatherer(metrics{h.runtime.cfg.Metrics, v.itself}, auditErrors{v.itself}); err != nil {
		return nil, err
	}
	pages, questions, mux := make(places, pagesAtOnce), make(places, questionsAtOnce), http.NewServeMux()
	for path, serve := range map[string]http.Handler{
		telemetryPath:       http.HandlerFunc(h.metrics),
		"/api/v1/forecasts": h.fixed("application/json; charset=utf-8", renderForecasts),
		"/{$}":              http.HandlerFunc(status.serveList),
		"/pair":             http.HandlerFunc(status.servePair),
		"/status.css":       http.FileServerFS(assets),
		"/status.js":        http.FileServerFS(assets),
		"/status.svg":       http.FileServerFS(assets),
	} {
		mux.Handle("GET "+path, pages.limit(serve))
	}
	for path, answer := range map[string]question{"/api/v1/check": h.check, "/api/v1/whatif": h.whatIf, "/api/v1/plan": h.plan} {
		mux.Handle("GET "+path, questions.limit(h.asked(answer)))
	}
	mux.HandleFunc("GET /-/healthy", answer(r.Healthy, "Healthy.", "The poll loop has made no progress for too long."))
	mux.HandleFunc("GET /-/ready", answer(r.Ready, "Ready.", "No poll has reached a broker yet."))
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
	extra   []prometheus.Collector
}

// metrics serves the page in the format that the scraper likes best.
func (h *handler) metrics(w http.ResponseWriter, req *http.Request) {
	format := expfmt.NegotiateAccept(req.Header, expfmt.DefaultOpenMetricsAcceptedFormats()...)
	w.Header().Add("Vary", "Accept")
	h.serve(w, req, string(format), func(to io.Writer, v *view) error {
		if text, ok := textFormatOf(format); ok {
			return h.write(to, v, text)
		}
		return h.encode(to, v, format)
	})
}

// fixed serves a page that has one format only.
func (h *handler) fixed(contentType string, render renderer) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) { h.serve(w, req, contentType, render) }
}

func (h *handler) serve(w http.ResponseWriter, req *http.Request, contentType string, render renderer) {
	k := kind{contentType: contentType, zipped: acceptsGzip(req)}
	body, err := h.runtime.pages.get(k, h.runtime.view(), render)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Add("Vary", "Accept-Encoding")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if k.zipped {
		header.Set("Content-Encoding", "gzip")
	}
	_, _ = w.Write(body) // the client has gone: nobody is left to be told
}

// gatherer is a registry of what is the same in every view, and of what is given.
func (h *handler) gatherer(given ...prometheus.Collector) (prometheus.Gatherer, error) {
	registry := prometheus.NewRegistry()
	for _, c := range slices.Concat([]prometheus.Collector{h.runtime.duration}, h.extra, given) {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("register collectors: %w", err)
		}
	}
	return registry, nil
}

// gather gathers from such a registry.
func (h *handler) gather(given ...prometheus.Collector) ([]*dto.MetricFamily, error) {
	registry, err := h.gatherer(given...)
	if err != nil {
		return nil, err
	}
	families, err := registry.Gather()
	if err != nil {
		return nil, fmt.Errorf("gather metrics: %w", err)
	}
	return families, nil
}

// write writes a page in a text format.
func (h *handler) write(to io.Writer, v *view, text textFormat) error {
	others, err := h.gather(auditErrors{v.itself})
	if err != nil {
		return err
	}
	return text.write(to, v.samples(h.runtime.cfg.Metrics), others)
}

// encode writes a page by way of the registry.
func (h *handler) encode(to io.Writer, v *view, format expfmt.Format) error {
	families, err := h.gather(metrics{h.runtime.cfg.Metrics, v.itself}, auditErrors{v.itself})
	if err != nil {
		return err
	}
	encoder := expfmt.NewEncoder(to, format)
	for _, f := range families {
		if err := encoder.Encode(f); err != nil {
			return fmt.Errorf("encode %s: %w", f.GetName(), err)
		}
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
