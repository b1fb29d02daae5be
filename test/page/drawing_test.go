package page

import (
	"math"
	"testing"
)

// drawings holds the race against what it is drawn from: the crossing
// lies on the group's line and on a step of the log start, inside the band.
func drawings(t *testing.T, s *served) {
	b := openTab(t)
	for _, group := range []string{"search-index&topic=orders", "fraud-report&topic=payments"} {
		b.open(s.url + "/pair?partition=0&group=" + group)
		at := ask[struct{ X, Y float64 }](b, `(() => { const c = document.querySelector(".crossing"); return {X: +c.getAttribute("cx"), Y: +c.getAttribute("cy")}; })()`)
		// How far the crossing is from the nearest point of a path.
		const near = `((selector, x, y) => {
			const path = document.querySelector(selector), length = path.getTotalLength();
			let best = Infinity;
			for (let i = 0; i <= 4000; i++) { const p = path.getPointAtLength(length * i / 4000); best = Math.min(best, Math.hypot(p.x - x, p.y - y)); }
			return best;
		})`
		for _, path := range []string{".group", ".front"} {
			if off := ask[float64](b, callOf(near, path, at.X, at.Y)); off > 4 || math.IsNaN(off) {
				t.Errorf("%s: the crossing is %.1f away from %s", group, off, path)
			}
		}
		inside := `((x) => { const b = document.querySelector(".band"); return x >= +b.getAttribute("x") && x <= +b.getAttribute("x") + +b.getAttribute("width"); })(%g)`
		if !ask[bool](b, sprintf(inside, at.X)) {
			t.Errorf("%s: the crossing is outside of the band", group)
		}
		segments := ask[struct{ Boxes, Lines int }](b, `({Boxes: document.querySelectorAll(".segments rect").length, Lines: document.querySelectorAll("#segments tbody tr").length})`)
		if segments.Boxes < 20 || segments.Boxes != segments.Lines {
			t.Errorf("%s: %d segments are drawn, %d are in the table", group, segments.Boxes, segments.Lines)
		}
	}
	b.open(s.url + "/pair?partition=0&group=billing&topic=payments")
	if ask[bool](b, `document.querySelector(".crossing") !== null`) {
		t.Error("a group that keeps up is crossed")
	}
	b.quiet(s.url)
}
