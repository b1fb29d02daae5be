package page

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write the pictures to exporter/pictures and examples/stack")

// picture takes a page in light and dark for the documentation, and holds that neither is empty.
func picture(t *testing.T, name, url string, whole bool) {
	b := openTab(t)
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		b.open(url)
		shot := b.picture(whole)
		if len(shot) < 20_000 {
			t.Errorf("%s, %s: %d bytes can be no picture of the page", name, scheme, len(shot))
		}
		if *update {
			write(t, filepath.Join("../../exporter/pictures", name+"-"+scheme+".png"), shot)
		}
	}
}

// write packs a picture as small as it gets.
func write(t *testing.T, path string, shot []byte) {
	t.Helper()
	whole, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	var small bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&small, paletted(whole)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, small.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// paletted keeps the 256 colours that are used most, and for the others the nearest of those: a
// page has few, but for the edges of letters.
func paletted(whole image.Image) image.Image {
	used := map[color.Color]int{}
	area := whole.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			used[whole.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(used), func(a, b color.Color) int {
		return cmp.Or(cmp.Compare(used[b], used[a]), cmp.Compare(number(a), number(b)))
	})
	out := image.NewPaletted(area, colours[:min(256, len(colours))])
	draw.Draw(out, area, whole, area.Min, draw.Src)
	return out
}

// number puts colours in an order, so that the same page is the same file.
func number(c color.Color) uint64 {
	r, g, b, _ := c.RGBA()
	return uint64(r)<<32 | uint64(g)<<16 | uint64(b)
}
