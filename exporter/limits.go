package exporter

import "net/http"

// How many requests are answered at the same time; one more is refused at once. Pages are made once
// and served as bytes, and a question is worked out for whoever asks it, so that the two do not share:
// questions in heaps keep no scrape away. Probes are not limited.
const (
	pagesAtOnce     = 64
	questionsAtOnce = 8
)

// places are for requests under way.
type places chan struct{}

// limit serves as long as there is a place.
func (p places) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		select {
		case p <- struct{}{}:
			defer func() { <-p }()
			next.ServeHTTP(w, req)
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "Too many requests at once.", http.StatusServiceUnavailable)
		}
	})
}
