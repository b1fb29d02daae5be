package exporter

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// renderer writes one kind of page from a view.
type renderer func(w *bytes.Buffer, v *view) error

// pages holds the renderings of the newest view. Each kind is rendered at most once per view,
// however many scrapes ask for it: those that come meanwhile wait for the one that renders.
type pages struct {
	mu    sync.Mutex
	view  *view
	kinds map[string]*page // by content type
}

// page is one rendering, ready to be sent.
type page struct {
	mu      sync.Mutex
	plain   []byte // nil until rendered
	gzipped []byte // nil until a client wants it
}

// page returns the slot of a content type; those of an older view are forgotten.
func (c *pages) page(contentType string, v *view) *page {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.view != v {
		c.view, c.kinds = v, map[string]*page{}
	}
	p, ok := c.kinds[contentType]
	if !ok {
		p = &page{}
		c.kinds[contentType] = p
	}
	return p
}

// get returns the page of a content type for the given view, compressed if that is asked for.
func (c *pages) get(contentType string, v *view, zipped bool, render renderer) ([]byte, error) {
	p := c.page(contentType, v)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.plain == nil {
		var buf bytes.Buffer
		if err := render(&buf, v); err != nil {
			return nil, fmt.Errorf("render %s: %w", contentType, err)
		}
		p.plain = buf.Bytes()
	}
	if !zipped {
		return p.plain, nil
	}
	if p.gzipped == nil {
		small, err := compress(p.plain)
		if err != nil {
			return nil, err
		}
		p.gzipped = small
	}
	return p.gzipped, nil
}

func compress(plain []byte) ([]byte, error) {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := w.Write(plain); err != nil {
		return nil, fmt.Errorf("compress page: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress page: %w", err)
	}
	return buf.Bytes(), nil
}

// acceptsGzip reads Accept-Encoding: gzip is welcome if it is named and not refused by q=0.
func acceptsGzip(r *http.Request) bool {
	for offer := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, parameter, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(offer), " ", ""), ";")
		if coding == "gzip" {
			quality, err := strconv.ParseFloat(strings.TrimPrefix(parameter, "q="), 64)
			return err != nil || quality > 0
		}
	}
	return false
}
