package positions

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"kafka-retention-exporter/model"
)

// Reader asks one source. It may be used from several goroutines.
type Reader struct {
	Source
	client *http.Client
	asking chan struct{} // holds a token while a file is read
	topic  *topicReader  // nil for others
}

// NewReader prepares to ask a file or a URL, which has been validated. Nothing is opened yet.
func NewReader(s Source) *Reader {
	// Patience is the context's. One idle connection is kept from poll to poll.
	return &Reader{Source: s, asking: make(chan struct{}, 1), client: &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConns: 1, IdleConnTimeout: 10 * time.Minute,
	}}}
}

// Close ends the connections that are kept.
func (r *Reader) Close() {
	r.client.CloseIdleConnections()
	if r.topic != nil {
		r.topic.client.Close()
	}
}

// skew is how far ahead of ours the clock of a source may be. What is true only later than that is
// no reading of the present, and would never grow old.
const skew = model.Millis(60_000)

// Read asks the source once.
func (r *Reader) Read(ctx context.Context, now func() model.Instant) (Told, error) {
	told, err := r.ask(ctx, now)
	if err != nil {
		return Told{}, err
	}
	if asked := now(); told.At.Sub(asked) > skew {
		return Told{}, fmt.Errorf("read positions: at is %v ahead of this clock", told.At.Sub(asked).Duration())
	}
	return told, nil
}

func (r *Reader) ask(ctx context.Context, now func() model.Instant) (Told, error) {
	switch {
	case r.topic != nil:
		return r.topic.read(ctx)
	case r.File != "":
		return r.file(ctx)
	}
	return r.get(ctx, now())
}

// file reads the file, or gives up on it: a file system behind a network may keep anyone waiting,
// and nothing ends that. At most one reading waits.
func (r *Reader) file(ctx context.Context) (Told, error) {
	select {
	case r.asking <- struct{}{}:
	default:
		return Told{}, fmt.Errorf("read positions: an earlier reading of %s has not ended", r.File)
	}
	type result struct {
		told Told
		err  error
	}
	done := make(chan result, 1)
	go func() {
		told, err := readFile(r.File)
		<-r.asking
		done <- result{told, err}
	}()
	select {
	case got := <-done:
		return got.told, got.err
	case <-ctx.Done():
		return Told{}, fmt.Errorf("read positions: %s: %w", r.File, ctx.Err())
	}
}

// readFile reads what is there. A document that is being written is cut off, and not believed: it
// is written beside and renamed to be safe.
func readFile(path string) (told Told, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return told, err
	}
	if !info.Mode().IsRegular() { // a pipe would keep us waiting
		return told, fmt.Errorf("read positions: %s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return told, err
	}
	defer func() { _ = file.Close() }()
	if info, err = file.Stat(); err != nil {
		return told, err
	}
	return read(file, model.InstantOf(info.ModTime()))
}

func (r *Reader) get(ctx context.Context, asked model.Instant) (told Told, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return told, errors.New("read positions: the URL cannot be asked")
	}
	request.Header.Set("Accept", "application/json")
	answer, err := r.client.Do(request)
	if err != nil {
		return told, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return told, fmt.Errorf("read positions: %s answers %s", request.URL.Redacted(), answer.Status)
	}
	return read(answer.Body, asked)
}
