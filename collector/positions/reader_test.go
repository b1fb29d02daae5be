package positions_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kafka-retention-exporter/collector/positions"
	"kafka-retention-exporter/model"
)

const asked = model.Instant(1_800_000_000_000)

func now() model.Instant { return asked }

// document is a good one; its instant is ten seconds before it is asked for.
func document(at model.Instant) string {
	return fmt.Sprintf(`{"at": %q, "by": "job 7", "positions": [{"topic": "orders", "partition": 0, "offset": 42}, {"topic": "orders", "partition": 1, "offset": 0}]}`, at)
}

func want() map[model.PartitionKey]model.Offset {
	return map[model.PartitionKey]model.Offset{{Topic: "orders", Partition: 0}: 42, {Topic: "orders", Partition: 1}: 0}
}

func file(t *testing.T, text string) positions.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "positions.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return positions.Source{Name: "job", File: path, MaxAge: time.Minute}
}

func served(t *testing.T, status int, text string) positions.Source {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}))
	t.Cleanup(server.Close)
	return positions.Source{Name: "job", URL: server.URL, MaxAge: time.Minute}
}

func ask(t *testing.T, s positions.Source) (positions.Told, error) {
	t.Helper()
	r := positions.NewReader(s)
	t.Cleanup(r.Close)
	return r.Read(t.Context(), now)
}

func TestReadsFileAndURL(t *testing.T) {
	at := asked.Add(-10_000)
	for name, s := range map[string]positions.Source{"file": file(t, document(at)), "url": served(t, 200, document(at))} {
		t.Run(name, func(t *testing.T) {
			told, err := ask(t, s)
			if err != nil || told.At != at || !maps.Equal(told.Offsets, want()) {
				t.Errorf("have %+v, %v", told, err)
			}
		})
	}
}

func TestAgeOfWhatDoesNotSay(t *testing.T) {
	const text = `{"positions": []}`
	s := file(t, text)
	written := time.UnixMilli(int64(asked) - 77_000)
	if err := os.Chtimes(s.File, written, written); err != nil {
		t.Fatal(err)
	}
	if told, err := ask(t, s); err != nil || told.At != asked.Add(-77_000) {
		t.Errorf("file: %v, %v", told.At, err)
	}
	if told, err := ask(t, served(t, 200, text)); err != nil || told.At != asked {
		t.Errorf("url: %v, %v", told.At, err)
	}
}

// TestIsNotBelieved has what must be refused, with a part of the reason.
func TestIsNotBelieved(t *testing.T) {
	one := func(fields string) string { return `{"positions": [{` + fields + `}]}` }
	for name, c := range map[string]struct{ text, why string }{
		"nothing":          {"", "unexpected end"},
		"cut off":          {document(asked)[:60], "unexpected end"},
		"no list":          {`{"position": []}`, `want a list "positions"`},
		"null":             {"null", `want a list "positions"`},
		"two documents":    {document(asked) + document(asked), "after top-level value"},
		"no offset":        {one(`"topic": "a", "partition": 0`), "entry 1"},
		"no partition":     {one(`"topic": "a", "offset": 0`), "entry 1"},
		"no topic":         {one(`"partition": 0, "offset": 0`), "entry 1"},
		"negative":         {one(`"topic": "a", "partition": 0, "offset": -1`), "entry 1"},
		"text for offset":  {one(`"topic": "a", "partition": 0, "offset": "7"`), "cannot unmarshal"},
		"too large":        {one(`"topic": "a", "partition": 0, "offset": 9223372036854775808`), "cannot unmarshal"},
		"partition twice":  {`{"positions": [{"topic": "a", "partition": 0, "offset": 1}, {"topic": "a", "partition": 0, "offset": 2}]}`, "there already"},
		"of the future":    {document(asked.Add(3_600_000)), "ahead of this clock"},
		"an age of no use": {`{"at": "yesterday", "positions": []}`, "parsing time"},
		"too long":         {`{"positions": []}` + strings.Repeat(" ", 32<<20), "more than"},
	} {
		t.Run(name, func(t *testing.T) {
			if told, err := ask(t, file(t, c.text)); err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("have %+v, %v; want an error about %q", told, err, c.why)
			}
		})
	}
}

func TestCannotBeAsked(t *testing.T) {
	if _, err := ask(t, served(t, 503, document(asked))); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("answered 503: %v", err)
	}
	missing := positions.Source{Name: "job", File: filepath.Join(t.TempDir(), "none"), MaxAge: time.Minute}
	if _, err := ask(t, missing); !os.IsNotExist(err) {
		t.Errorf("no such file: %v", err)
	}
	pipe := positions.Source{Name: "job", File: filepath.Join(t.TempDir(), "pipe"), MaxAge: time.Minute}
	if err := syscall.Mkfifo(pipe.File, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t, pipe); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("pipe: %v", err)
	}
}

// TestPatienceIsTheCallers: whoever serves positions and does not answer is left when ctx ends.
func TestPatienceIsTheCallers(t *testing.T) {
	hangs := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hangs }))
	defer server.Close()
	defer close(hangs)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := positions.NewReader(positions.Source{Name: "job", URL: server.URL}).Read(ctx, now); ctx.Err() == nil || err == nil {
		t.Errorf("returned %v before its time", err)
	}
}

func FuzzFile(f *testing.F) {
	f.Add(document(asked))
	f.Add(`{"positions": [{"topic": "a", "partition": 1e9, "offset": 1}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		told, err := ask(t, file(t, text))
		if err != nil && (told.At != 0 || told.Offsets != nil) {
			t.Errorf("%+v in spite of %v", told, err)
		}
		for key, offset := range told.Offsets {
			if key.Topic == "" || key.Partition < 0 || offset < 0 {
				t.Errorf("%v at %v", key, offset)
			}
		}
	})
}
