package page

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// pair is what /api/v1/forecasts says of one.
type pair struct {
	Group     string          `json:"consumergroup"`
	Topic     string          `json:"topic"`
	Partition int             `json:"partition"`
	State     string          `json:"state"`
	Rule      string          `json:"rule"`
	Loss      json.RawMessage `json:"loss"`
	Left      json.RawMessage `json:"time_to_loss_seconds"`
	Inputs    struct {
		RetentionMs int64 `json:"retention_ms"`
	} `json:"inputs"`
}

// left is the time to loss in seconds; ok is false where none is in sight, known or still to come.
func (p pair) left() (seconds float64, ok bool) {
	return seconds, json.Unmarshal(p.Left, &seconds) == nil && string(p.Left) != "null" && p.State != "lost"
}

func (s *served) pairs() []pair {
	s.t.Helper()
	answer, err := http.Get(s.url + "/api/v1/forecasts")
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	var out struct {
		Pairs []pair `json:"pairs"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&out); err != nil {
		s.t.Fatal(err)
	}
	return out.Pairs
}

// next is the pair that loses records next, by the JSON.
func (s *served) next() (next pair, seconds float64) {
	s.t.Helper()
	for _, p := range s.pairs() {
		if left, ok := p.left(); ok && (next.Group == "" || left < seconds) {
			next, seconds = p, left
		}
	}
	if next.Group == "" {
		s.t.Fatal("no pair loses records")
	}
	return next, seconds
}

// visible is the text that stands in the window without scrolling.
const visible = `(() => {
	const out = [];
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const range = document.createRange();
		range.selectNodeContents(walk.currentNode);
		const box = range.getBoundingClientRect();
		if (box.width > 1 && box.height > 1 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth)
			out.push(walk.currentNode.data.trim());
	}
	return out.filter(Boolean).join("\n");
})()`

// TestTenThousandPairs looks at one exporter in many ways; none of them changes it.
func TestTenThousandPairs(t *testing.T) {
	t.Parallel()
	s := serve(t, many(), 64) // for so long that groups which stand still near the end are told of
	for name, test := range map[string]func(*testing.T, *served){
		"the first screen tells who loses records next": firstScreen,
		"filtering as one types":                        filtering,
		"without a script everything is there":          withoutScript,
		"pages stay small":                              smallness,
		"everything has a name":                         names,
		"contrast is enough":                            contrast,
		"pictures":                                      func(t *testing.T, s *served) { picture(t, "list-10000", s.url+"/", false) },
	} {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
}

func TestThreePairs(t *testing.T) {
	t.Parallel()
	s := serve(t, three(), 40)
	for name, test := range map[string]func(*testing.T, *served){
		"the first screen tells who loses records next": firstScreen,
		"drawings agree with the forecast":              drawings,
		"both schemes are there":                        schemes,
		"the keyboard reaches everything":               keyboard,
		"pictures of the list":                          func(t *testing.T, s *served) { picture(t, "list-3", s.url+"/", false) },
		"pictures of a pair": func(t *testing.T, s *served) {
			picture(t, "pair", s.url+"/pair?group=search-index&topic=orders&partition=0", true)
		},
	} {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
}

func firstScreen(t *testing.T, s *served) {
	b := openTab(t)
	next, seconds := s.next()
	b.open(s.url + "/")
	screen := ask[string](b, visible)
	words := fmt.Sprintf("%d hours %d minutes", int(seconds)/3600, (int(seconds)+30)%3600/60)
	if seconds < 3600 {
		words = fmt.Sprintf("%d minutes %d seconds", int(seconds)/60, int(seconds)%60)
	}
	for _, want := range []string{
		"Loses records next", next.Group, next.Topic, "Partition\n" + fmt.Sprint(next.Partition), words,
		"Deleted by " + next.Rule + ": retention.ms is ", "To buy time",
		fmt.Sprintf("--alter --entity-type topics --entity-name %s --add-config 'retention.ms=%d'", next.Topic, 2*next.Inputs.RetentionMs),
	} {
		if !strings.Contains(screen, want) {
			t.Errorf("the first screen lacks %q; it has:\n%s", want, screen)
		}
	}
	b.quiet(s.url)
}

const rows = `document.querySelectorAll(".pairs tbody tr").length`

func filtering(t *testing.T, s *served) {
	b := openTab(t)
	b.open(s.url + "/")
	b.do(chromedp.KeyEvent("/"), chromedp.KeyEvent("fraud-w"))
	b.await(`document.querySelector("#count").innerText === "1 to 100 of 100, out of 10,000"`)
	if at := ask[string](b, "location.search"); at != "?q=fraud-w" {
		t.Errorf("the address ends in %q", at)
	}
	b.do(chromedp.SetValue(chromedp.CSS("#state"), "stalled"))
	ask[bool](b, `document.querySelector("#state").dispatchEvent(new Event("input", {bubbles: true}))`)
	b.await(rows + " === 10")
	if got := ask[[]string](b, `[...new Set([...document.querySelectorAll(".pairs tbody th a")].map((a) => a.firstChild.data))]`); len(got) != 1 || got[0] != "fraud-writer" {
		t.Errorf("rows are of %v", got)
	}
	b.open(ask[string](b, "location.href")) // as a colleague does who was sent the address
	if got := b.text("#count"); got != "1 to 10 of 10, out of 10,000" {
		t.Errorf("opened anew: %s", got)
	}
	b.follow("#all a")
	b.await(`document.querySelector("#count").innerText === "1 to 100 of 10,000"`)
	b.follow(".tile.risk-lost")
	b.await(rows + " === 1")
	b.follow(".chip")
	b.await(rows + " === 100")
	b.quiet(s.url)
}

func withoutScript(t *testing.T, s *served) {
	b := openTab(t)
	b.script(false)
	b.open(s.url + "/")
	b.do(chromedp.SendKeys(chromedp.CSS("#q"), "telemetry"))
	b.follow("#filter button")
	if got := b.text("#count"); got != "1 to 100 of 1,000, out of 10,000" {
		t.Errorf("filtered: %s", got)
	}
	b.follow("a[rel=next]")
	if got := b.text("#count"); got != "101 to 200 of 1,000, out of 10,000" {
		t.Errorf("next page: %s", got)
	}
	b.follow(".pairs tbody th a")
	if got := b.text("h1"); !strings.Contains(got, "on telemetry, partition") {
		t.Errorf("the pair's page is headed %q", got)
	}
	b.quiet(s.url)
}

func TestRefreshInPlace(t *testing.T) {
	t.Parallel()
	b, s := openTab(t), serve(t, three(), 12)
	b.open(s.url + "/")
	ask[bool](b, `window.stayed = true`)
	b.do(chromedp.Focus(chromedp.CSS(".pairs tbody tr:nth-child(2) th a")))
	before, focused := b.text("#status time"), ask[string](b, "document.activeElement.href")
	s.poll(2)
	b.await(fmt.Sprintf(`document.querySelector("#status time").innerText !== %q`, before))
	if !ask[bool](b, "window.stayed === true") {
		t.Error("the page was loaded anew")
	}
	if got := ask[string](b, "document.activeElement.href || ''"); got != focused {
		t.Errorf("the focus went from %s to %q", focused, got)
	}
	b.open(s.url + "/pair?group=search-index&topic=orders&partition=0")
	b.do(chromedp.Click(chromedp.CSS("#segments summary")))
	before = b.text("#status time")
	s.poll(2)
	b.await(fmt.Sprintf(`document.querySelector("#status time").innerText !== %q`, before))
	if !ask[bool](b, `document.querySelector("#segments").open`) {
		t.Error("what was opened is closed")
	}
	b.quiet(s.url)
}

func TestSilentExporterIsTold(t *testing.T) {
	t.Parallel()
	b, s := openTab(t), serve(t, three(), 12)
	b.open(s.url + "/")
	if got := b.text("#connection"); got != "" {
		t.Errorf("while it answers: %q", got)
	}
	s.server.Close()
	b.await(`document.querySelector("#connection").innerText.startsWith("The exporter does not answer.")`)
	if got := ask[int](b, rows); got != 3 {
		t.Errorf("%d rows are left", got)
	}
}

// smallness holds what makes a page slow: its bytes, its elements, and work
// in the browser that grows with the pairs. The times are only logged.
func smallness(t *testing.T, s *served) {
	b := openTab(t)
	if n := len(s.pairs()); n != 10_000 {
		t.Fatalf("%d pairs", n)
	}
	b.open(s.url + "/")
	if n := ask[int](b, `document.getElementsByTagName("*").length`); n > 4000 {
		t.Errorf("%d elements", n)
	}
	bytes := ask[int](b, `performance.getEntriesByType("navigation")[0].decodedBodySize`)
	if bytes > 250_000 {
		t.Errorf("%d bytes", bytes)
	}
	started := time.Now()
	b.do(chromedp.KeyEvent("/"), chromedp.KeyEvent("price"))
	b.await(`document.querySelector("#count").innerText === "1 to 100 of 1,000, out of 10,000"`)
	t.Logf("%d bytes, loaded in %.0f ms; filtered within %v of the first key", bytes,
		ask[float64](b, `performance.getEntriesByType("navigation")[0].duration`), time.Since(started).Round(time.Millisecond))
	b.quiet(s.url)
}

func TestOddNamesDoNoHarm(t *testing.T) {
	t.Parallel()
	b, s := openTab(t), serve(t, odd(), 12)
	for _, width := range []int64{1280, 400} {
		b.size(width, 800)
		b.open(s.url + "/")
		if over := ask[int](b, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
			t.Errorf("at %d the list is %d too wide", width, over)
		}
		for _, link := range ask[[]string](b, `[...document.querySelectorAll(".pairs tbody th a")].map((a) => a.href)`) {
			b.open(link)
			if over := ask[int](b, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
				t.Errorf("at %d %s is %d too wide", width, link, over)
			}
			if !ask[bool](b, `document.querySelector("h1").innerText.includes(" on ") && document.querySelectorAll("main img").length === 0`) {
				t.Errorf("%s is no page of a pair", link)
			}
		}
	}
	b.quiet(s.url)
}
