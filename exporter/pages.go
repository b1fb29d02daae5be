package exporter

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
)

// renderer writes one kind of page from a view.
type renderer func(w io.Writer, v *view) error

// kind is a page by its content type, as it goes over the wire.
type kind struct {
	contentType string
	zipped      bool
}

// pages holds the renderings of the newest view. Each kind is rendered at most once per view,
// however many scrapes ask for it: those that come meanwhile wait for the one that renders.
type pages struct {
	mu    sync.Mutex
	view  *view
	kinds map[kind]*page
}

// page is one rendering, ready to be sent.
type page struct {
	render renderer
	asked  atomic.Bool  // a client wanted it
	bytes  atomic.Int64 // of the body, or of the one before, which had about as many
	mu     sync.Mutex
	body   []byte // nil until rendered
}

// page returns the slot of a kind; those of an older view are forgotten.
func (c *pages) page(k kind, v *view, render renderer) *page {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.view != v {
		c.view, c.kinds = v, map[kind]*page{}
	}
	p, ok := c.kinds[k]
	if !ok {
		p = &page{render: render}
		c.kinds[k] = p
	}
	return p
}

// get returns the page of a kind for the given view, to a client that wants it.
func (c *pages) get(k kind, v *view, render renderer) ([]byte, error) {
	p := c.page(k, v, render)
	p.asked.Store(true)
	return p.made(k, v)
}

// made is the page, rendered by whoever comes first.
func (p *page) made(k kind, v *view) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.body != nil {
		return p.body, nil
	}
	var buf bytes.Buffer
	buf.Grow(int(p.bytes.Load() * 17 / 16))
	if err := k.write(&buf, v, p.render); err != nil {
		return nil, fmt.Errorf("render %s: %w", k.contentType, err)
	}
	p.body = buf.Bytes()
	p.bytes.Store(int64(len(p.body)))
	return p.body, nil
}

// renew renders for a new view what clients asked for of the one before, so that the next scrape
// finds its page ready and takes no longer than its bytes need. A failure is told to whoever asks.
func (c *pages) renew(v *view) {
	c.mu.Lock()
	before := maps.Clone(c.kinds) // a scrape may add to it meanwhile
	c.mu.Unlock()
	for k, p := range before {
		if p.asked.Load() {
			next := c.page(k, v, p.render)
			next.bytes.CompareAndSwap(0, p.bytes.Load())
			_, _ = next.made(k, v)
		}
	}
}

func (k kind) write(buf *bytes.Buffer, v *view, render renderer) error {
	body := func(w io.Writer) error { return render(w, v) }
	if k.zipped {
		return pack(buf, body)
	}
	return body(buf)
}

// pack compresses what body writes. The quickest level packs metrics, where most of a line repeats
// the one before, nearly as small as the others.
func pack(to io.Writer, body func(io.Writer) error) error {
	packer, err := gzip.NewWriterLevel(to, gzip.BestSpeed)
	if err != nil {
		return fmt.Errorf("compress page: %w", err)
	}
	if err := body(packer); err != nil {
		return err
	}
	if err := packer.Close(); err != nil {
		return fmt.Errorf("compress page: %w", err)
	}
	return nil
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
