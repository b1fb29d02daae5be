package model

import (
	"fmt"
	"testing"
)

// The hashes are those of Java's String.hashCode.
func TestOffsetsPartition(t *testing.T) {
	for _, c := range []struct {
		group string
		of    int32
		want  int32
	}{
		{"", 50, 0},
		{"a", 50, 97 % 50},
		{"ab", 50, 3105 % 50},
		{"polygenelubricants", 50, 0},           // Integer.MIN_VALUE
		{"kafka-test-ready-0", 1, 0},            // whatever the hash
		{"Zahlungsströme", 50, 1830450061 % 50}, // one unit beyond ASCII
		{"orders", 50, 1008770331 % 50},         // negative in Java
		{"\U0001F600", 50, 1772899 % 50},        // a surrogate pair: 31*0xD83D + 0xDE00
	} {
		if got := OffsetsPartition(c.group, c.of); got != c.want {
			t.Errorf("%q is kept by partition %d of %d, want %d", c.group, got, c.of, c.want)
		}
	}
}

func TestPortionsDivideEverything(t *testing.T) {
	parts := []Portion{PortionOf(10, []int32{0, 1, 2}), PortionOf(10, []int32{3, 4, 5, 6}), PortionOf(10, []int32{7, 8, 9})}
	for i := range 1000 {
		name, owners := fmt.Sprintf("group-%d", i), 0
		for _, p := range parts {
			if p.Owns(name) {
				owners++
			}
		}
		if owners != 1 {
			t.Fatalf("%s has %d owners", name, owners)
		}
	}
}

func TestPortionEdges(t *testing.T) {
	for _, c := range []struct {
		name        string
		portion     Portion
		whole, owns bool
	}{
		{"zero value", Portion{}, true, true},
		{"every partition", PortionOf(2, []int32{0, 1}), true, true},
		{"none", PortionOf(2, nil), false, false},
		{"number not known", PortionOf(0, []int32{0}), false, false},
		{"partitions there are not", PortionOf(1, []int32{1, 2}), false, false},
	} {
		if c.portion.Whole() != c.whole || c.portion.Owns("a") != c.owns {
			t.Errorf("%s: whole %v, owns %v; want %v, %v", c.name, c.portion.Whole(), c.portion.Owns("a"), c.whole, c.owns)
		}
	}
	if !PortionOf(3, []int32{0, 1}).Equal(PortionOf(3, []int32{1, 0})) || PortionOf(3, []int32{0}).Equal(PortionOf(3, []int32{1})) || PortionOf(3, nil).Equal(PortionOf(4, nil)) {
		t.Error("portions are equal exactly if they hold the same")
	}
}
