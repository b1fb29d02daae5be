package exporter_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"kafka-retention-exporter/model"
)

// FuzzRequest asks every page with any query: the answer is a page or a refusal, never a crash, and
// what was asked with stays text, however much like markup it looks.
func FuzzRequest(f *testing.F) {
	for _, q := range []string{
		"", "q=orders&page=2", "page=-1&risk=soon&state=stalled", "group=g&topic=t&partition=0", "partition=99999999999",
		"within=24h", "within=-1ns", "topic=orders&set=retention.ms=1000&factor=2", "topic=t&set==&set=x&factor=NaN", "topic=t&rate=1e309",
		"q=%3Cscript%3Ealert(1)%3C/script%3E", "group=%22%3E%3Cb%3E&topic=%3Ci%3E&partition=0", "q=%ff%00", "q=a;b", "%zz", "0=%3C/a",
	} {
		f.Add(q)
	}
	now := model.Instant(1_700_000_000_000)
	handler := handlerAt(f, now)
	welcome := []int{http.StatusOK, http.StatusBadRequest, http.StatusNotFound, http.StatusServiceUnavailable}
	f.Fuzz(func(t *testing.T, query string) {
		for _, path := range []string{"/", "/pair", "/metrics", "/api/v1/forecasts", "/api/v1/check", "/api/v1/whatif", "/api/v1/plan"} {
			w := ask(handler, path, query)
			if !slices.Contains(welcome, w.Code) {
				t.Errorf("%s?%s: status %d", path, query, w.Code)
			}
			w = ask(handler, path, marked(query))
			if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
				staysText(t, path, query, w.Body.String())
			}
		}
	})
}

func ask(handler http.Handler, path, query string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, path, nil)
	request.URL.RawQuery = query
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, request)
	return w
}

// mark is behind each value that a page is asked with, so that it is told from markup of the page's own.
const mark = "zq7x"

// marked is a query with its values marked; what cannot be read is left out there as well.
func marked(query string) string {
	values, _ := url.ParseQuery(query)
	for _, list := range values {
		for i := range list {
			list[i] += mark
		}
	}
	return values.Encode()
}

// staysText looks for each value of the query that holds a bracket, as it came.
func staysText(t *testing.T, path, query, page string) {
	t.Helper()
	values, _ := url.ParseQuery(query)
	for _, list := range values {
		for _, v := range list {
			if strings.Contains(v, "<") && strings.Contains(page, v+mark) {
				t.Errorf("%s?%s: the page has %q as it came", path, query, v)
			}
		}
	}
}

// handlerAt serves one poll of a varied cluster.
func handlerAt(f *testing.F, now model.Instant) http.Handler {
	f.Helper()
	r := newRig(f, time.Hour, func() time.Time { return time.UnixMilli(int64(now)) }, variedCluster)
	r.predictor.report = variedReport
	r.start()
	for !r.runtime.Ready() {
		time.Sleep(time.Millisecond)
	}
	return r.handler
}
