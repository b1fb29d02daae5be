package page

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func sprintf(format string, a ...any) string { return fmt.Sprintf(format, a...) }

// callOf calls a function of JavaScript with a selector and numbers.
func callOf(function, selector string, x, y float64) string {
	return sprintf("%s(%q, %g, %g)", function, selector, x, y)
}

// looks are the pages that the tests of access look at, with every kind of row between them.
func looks(t *testing.T, s *served) (pages []string) {
	pages = []string{"/", "/?q=fraud&state=stalled", "/?risk=lost", "/?risk=unknown", "/?q=nobody"}
	for _, p := range s.pairs() {
		if p.State == "lost" || p.State == "stalled" && p.Partition == 9 {
			pages = append(pages, sprintf("/pair?group=%s&topic=%s&partition=%d", p.Group, p.Topic, p.Partition))
		}
	}
	if len(pages) < 7 {
		t.Fatalf("pages are only %v", pages)
	}
	return pages
}

// wantName are the roles that say nothing without a name.
func wantName(role string) bool {
	switch role {
	case "link", "button", "searchbox", "textbox", "combobox", "image", "img", "region", "search", "navigation", "columnheader", "rowheader", "heading", "option":
		return true
	}
	return false
}

func names(t *testing.T, s *served) {
	b := openTab(t)
	for _, page := range looks(t, s) {
		b.open(s.url + page)
		command(b, accessibility.Enable, struct{}{})
		tree := command(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		seen := map[string]int{}
		for _, node := range tree.Nodes {
			role, name := textOf(node.Role), strings.TrimSpace(textOf(node.Name))
			if node.Ignored || !wantName(role) {
				continue
			}
			seen[role]++
			if name == "" {
				t.Errorf("%s: a %s has no name", page, role)
			}
		}
		if seen["link"] == 0 || seen["heading"] == 0 {
			t.Errorf("%s: the tree has %v", page, seen)
		}
		if got := ask[[]string](b, structure); len(got) > 0 {
			t.Errorf("%s: %v", page, got)
		}
	}
	b.quiet(s.url)
}

func textOf(v *accessibility.Value) (out string) {
	if v != nil {
		_ = json.Unmarshal(v.Value, &out) // what is no string has no name
	}
	return out
}

// structure lists what is wrong with headings, tables, ids and the language.
const structure = `(() => {
	const wrong = [];
	if (document.documentElement.lang !== "en") wrong.push("no language");
	if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
	let level = 1;
	for (const h of document.querySelectorAll("h1, h2, h3")) {
		const n = +h.tagName[1];
		if (n > level + 1) wrong.push("heading leaps to " + h.innerText);
		level = n;
	}
	for (const table of document.querySelectorAll("table")) {
		const heads = table.querySelectorAll("thead th[scope=col]").length;
		for (const row of table.querySelectorAll("tbody tr"))
			if (row.children.length !== heads || !row.querySelector("th[scope=row]")) wrong.push("row without its head: " + row.innerText);
	}
	const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
	if (new Set(ids).size !== ids.length) wrong.push("an id twice");
	return wrong;
})()`

// contrasts lists texts whose contrast against what lies behind them is below 4.5, as WCAG 2
// reckons it. Colours are read back from a canvas, which knows every notation.
const contrasts = `(() => {
	const canvas = document.createElement("canvas");
	canvas.width = canvas.height = 1;
	const paint = canvas.getContext("2d", {willReadFrequently: true});
	const known = new Map();
	const rgba = (colour) => {
		if (!known.has(colour)) {
			paint.clearRect(0, 0, 1, 1);
			paint.fillStyle = colour;
			paint.fillRect(0, 0, 1, 1);
			known.set(colour, [...paint.getImageData(0, 0, 1, 1).data]);
		}
		return known.get(colour);
	};
	const over = (top, under) => [0, 1, 2].map((i) => (top[i] * top[3] + under[i] * (255 - top[3])) / 255);
	const behind = (element) => {
		if (!element) return rgba(getComputedStyle(document.body).backgroundColor).slice(0, 3);
		const colour = rgba(getComputedStyle(element).backgroundColor);
		return colour[3] === 255 ? colour.slice(0, 3) : over(colour, behind(element.parentElement));
	};
	const light = (c) => {
		const [r, g, b] = c.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const low = [];
	let looked = 0;
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const element = walk.currentNode.parentElement;
		if (!walk.currentNode.data.trim() || !element.checkVisibility() || element.closest(".hidden, script")) continue;
		const style = getComputedStyle(element), back = behind(element);
		const front = over(rgba(element.closest("svg") ? style.fill : style.color), back);
		const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
		looked++;
		if ((a + 0.05) / (b + 0.05) < 4.5) low.push(((a + 0.05) / (b + 0.05)).toFixed(2) + " " + walk.currentNode.data.trim());
	}
	return {Looked: looked, Low: low};
})()`

func contrast(t *testing.T, s *served) {
	b := openTab(t)
	pages := looks(t, s)
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		for _, page := range pages {
			b.open(s.url + page)
			got := ask[struct {
				Looked int
				Low    []string
			}](b, contrasts)
			if got.Looked < 20 {
				t.Errorf("%s: only %d texts were found", page, got.Looked)
			}
			for _, low := range got.Low {
				t.Errorf("%s, %s: contrast %s", page, scheme, low)
			}
		}
	}
}

// schemes keeps the test of contrast honest: both are really there.
func schemes(t *testing.T, s *served) {
	b := openTab(t)
	seen := map[string]string{}
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		b.open(s.url + "/")
		seen[scheme] = ask[string](b, `getComputedStyle(document.body).backgroundColor`)
	}
	if seen["light"] == seen["dark"] {
		t.Errorf("the background is %v", seen)
	}
}

func keyboard(t *testing.T, s *served) {
	b := openTab(t)
	b.open(s.url + "/")
	const focused = `(() => { const e = document.activeElement, s = getComputedStyle(e); return {
		Name: e.id || e.className || e.tagName, Href: e.getAttribute("href") || "", Shown: s.outlineStyle !== "none" && e.getBoundingClientRect().left >= 0}; })()`
	type stop struct {
		Name, Href string
		Shown      bool
	}
	b.do(chromedp.KeyEvent(kb.Tab))
	if first := ask[stop](b, focused); first.Href != "#content" || !first.Shown {
		t.Errorf("the first stop is %+v, want the way past the head", first)
	}
	wanted := map[string]bool{"q": true, "state": true, "copy": true, "metrics": true, "./?risk=now": true, "./pair?group=billing&partition=0&topic=payments": true}
	for range 60 {
		b.do(chromedp.KeyEvent(kb.Tab))
		at := ask[stop](b, focused)
		if at.Name == "BODY" {
			break
		}
		if !at.Shown {
			t.Errorf("no outline around %+v", at)
		}
		delete(wanted, at.Name)
		delete(wanted, at.Href)
	}
	if len(wanted) > 0 {
		t.Errorf("never reached: %v", wanted)
	}
}
