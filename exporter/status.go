package exporter

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// statusPages are the pages for people: the list, the soonest losses first and in words before
// numbers (status.html), and one page for each pair (status_pair.html).
type statusPages struct {
	runtime     *Runtime
	metricsPath string
	templates   *template.Template

	mu   sync.Mutex
	list *pairList // of the newest view
}

func newStatusPages(r *Runtime, telemetryPath string) (*statusPages, error) {
	t, err := template.ParseFS(assets, "status*.html")
	if err != nil {
		return nil, fmt.Errorf("parse status pages: %w", err)
	}
	return &statusPages{runtime: r, metricsPath: strings.TrimPrefix(telemetryPath, "/"), templates: t}, nil
}

// statusFrame is what every page has around its own.
type statusFrame struct {
	MetricsPath string
	Title       string
	Headline    string
	Good        bool
	Polled      moment // not known before the first poll that reached a broker
	ClusterID   string
	Refresh     int // seconds, for the script
	Audit       string
}

func (p *statusPages) frame(v *view, title string) statusFrame {
	f := statusFrame{
		MetricsPath: p.metricsPath, Title: title, Good: v.up(), Headline: headline(v),
		Refresh: max(1, int(p.runtime.cfg.PollInterval.Seconds())), Audit: auditText(v),
	}
	if at, ok := v.published.At(); ok {
		f.Polled = momentOf(at)
	}
	if v.snapshot != nil {
		f.ClusterID = v.snapshot.ClusterID
	}
	return f
}

// statusList is what the list shows.
type statusList struct {
	statusFrame
	Problems []statusProblem
	Unknown  []statusUnknown
	Findings []advice.Finding
	MoreKept int // findings left out
	Next     *pairText
	Lost     int
	Tiles    []tile
	Filter   filter
	States   []string
	Rows     []pairText
	Some     bool // there are pairs at all
	Shown    string
	Pages    pageLinks
}

type statusProblem struct {
	Cause, Stages, Detail string
	Count                 int
}

type statusUnknown struct {
	Reason, Says string
	Pairs        int
}

// maxFindings is how many findings the list shows; the JSON has all.
const maxFindings = 100

// serveList answers with the list, as far as the query wants it.
func (p *statusPages) serveList(w http.ResponseWriter, req *http.Request) {
	v := p.runtime.view()
	list := p.listOf(v)
	wanted := filterOf(req.URL.Query())
	found := list.matching(wanted)
	page := statusList{
		statusFrame: p.frame(v, "Kafka retention"),
		Unknown:     unknownTexts(v),
		Findings:    v.findings[:min(maxFindings, len(v.findings))],
		MoreKept:    max(0, len(v.findings)-maxFindings),
		Next:        list.next(),
		Lost:        list.counts[riskLost],
		Tiles:       list.tiles(wanted),
		Filter:      wanted,
		States:      stateChoices(),
		Some:        len(list.pairs) > 0,
	}
	if v.snapshot != nil {
		page.Problems = statusProblems(v.state)
	}
	page.Pages = wanted.pages(len(found))
	shown := found[min(len(found), page.Pages.first):min(len(found), page.Pages.first+pageRows)]
	page.Shown = shownText(page.Pages.first, len(shown), len(found), len(list.pairs))
	for _, pair := range shown {
		page.Rows = append(page.Rows, pairTextOf(list.forecast(pair), v))
	}
	p.send(w, req, http.StatusOK, "status.html", page)
}

// shownText tells which rows of how many are shown.
func shownText(first, shown, matching, all int) string {
	n := func(i int) string { return grouped(int64(i)) }
	switch {
	case all == 0:
		return "No group with an offset is known."
	case matching == 0:
		return "None of " + n(all) + " is like that."
	case matching == all:
		return n(first+1) + " to " + n(first+shown) + " of " + n(all)
	}
	return n(first+1) + " to " + n(first+shown) + " of " + n(matching) + ", out of " + n(all)
}

// listOf keeps the sorted pairs of the newest view, since most requests find the one before's.
func (p *statusPages) listOf(v *view) *pairList {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.list == nil || p.list.view != v {
		p.list = newPairList(v)
	}
	return p.list
}

// send writes a page, compressed where the client can take that.
func (p *statusPages) send(w http.ResponseWriter, req *http.Request, code int, name string, data any) {
	var buf bytes.Buffer
	body := func(to io.Writer) error { return p.templates.ExecuteTemplate(to, name, data) }
	zipped, err := acceptsGzip(req), error(nil)
	if zipped {
		err = pack(&buf, body)
	} else {
		err = body(&buf)
	}
	if err != nil {
		http.Error(w, fmt.Sprintf("render %s: %v", name, err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Add("Vary", "Accept-Encoding")
	if zipped {
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.WriteHeader(code)
	_, _ = w.Write(buf.Bytes()) // the client has gone: nobody is left to be told
}

func statusProblems(s *state) (out []statusProblem) {
	found := byCause(s)
	for _, cause := range slices.Sorted(maps.Keys(found)) {
		f := found[cause]
		p := statusProblem{Cause: cause, Stages: strings.Join(f.stages, ", "), Detail: f.detail, Count: f.count}
		if len(f.stages) == 0 {
			p.Detail = f.message()
		}
		out = append(out, p)
	}
	return out
}

func unknownTexts(v *view) (out []statusUnknown) {
	for _, reason := range predictor.Reasons() {
		if n := v.unknown[reason]; n > 0 {
			out = append(out, statusUnknown{reason.String(), reasonText(reason), n})
		}
	}
	return out
}

func headline(v *view) string {
	switch {
	case v.polls == 0:
		return "The first poll is under way."
	case !v.polling():
		return "No poll has ended lately."
	case !v.up():
		return "No broker answers."
	case len(v.problems) > 0:
		return "The cluster answers, but not everything could be read."
	}
	return "The cluster answers."
}

// moment is an instant for people; its zero value is unknown.
type moment struct {
	Text    string // "never" for model.Forever
	Machine string // for the attribute datetime, empty where there is none
}

func momentOf(t model.Instant) moment {
	if t == model.Forever {
		return moment{Text: "never"}
	}
	iso := t.String()
	if len(iso) != len("2006-01-02T15:04:05.000Z") {
		return moment{Text: iso} // beyond the calendar of browsers
	}
	return moment{Text: iso[:10] + " " + iso[11:19] + " UTC", Machine: iso}
}

func momentMaybe(m model.Maybe[model.Instant]) moment {
	if t, ok := m.Get(); ok {
		return momentOf(t)
	}
	return moment{Text: "unknown"}
}
