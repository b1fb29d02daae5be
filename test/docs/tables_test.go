package docs_test

import (
	"testing"

	"kafka-retention-exporter/test/docs"
)

func TestTable(t *testing.T) {
	got := docs.Table([]string{"a", "b"}, [][]string{{"x|y", "two\nlines"}, {"", "z"}})
	want := "| a | b |\n|---|---|\n| x\\|y | two lines |\n|  | z |\n"
	if got != want {
		t.Errorf("got\n%s want\n%s", got, want)
	}
}

func TestReplace(t *testing.T) {
	const document = "# A\n<!-- generated: flags -->\nold\n<!-- end of flags -->\nrest\n"
	for _, c := range []struct{ document, name, want, wantErr string }{
		{document, "flags", "# A\n<!-- generated: flags -->\nnew\n<!-- end of flags -->\nrest\n", ""},
		{document, "metrics", "", `find table metrics: no line "<!-- generated: metrics -->"`},
		{"<!-- generated: flags -->\nold\n", "flags", "", `find end of table flags: no "<!-- end of flags -->"`},
	} {
		got, err := docs.Replace(c.document, c.name, "new\n")
		gotErr := ""
		if err != nil {
			gotErr = err.Error()
		}
		if got != c.want || gotErr != c.wantErr {
			t.Errorf("%s: got %q, %q; want %q, %q", c.name, got, gotErr, c.want, c.wantErr)
		}
	}
}
