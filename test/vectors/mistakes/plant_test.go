package mistakes_test

import (
	"os"
	"strings"
	"testing"

	"kafka-retention-exporter/test/vectors/mistakes"
)

const root = "../../.."

// readInputs opens the folders that only the compiler and the replay read otherwise, so that go
// test does not answer from its cache when they have changed.
func readInputs(t *testing.T) {
	t.Helper()
	for _, folder := range []string{"/model", "/model/testdata/vectors", "/test/vectors/replay", "/test/vectors/sample"} {
		if _, err := os.ReadDir(root + folder); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheSampleNoticesEveryMistake(t *testing.T) {
	readInputs(t)
	for _, m := range mistakes.All() {
		t.Run(m.Rule+": "+m.Name, func(t *testing.T) {
			t.Parallel()
			outcome, err := mistakes.Plant(t.Context(), root, m)
			if err != nil {
				t.Fatal(err)
			}
			if !outcome.Caught() {
				t.Errorf("no log of the sample differs with %q in model/%s", m.New, m.File)
			}
		})
	}
}

// A mistake that changes nothing must come out as not caught, or the list would prove nothing.
func TestWhatIsNoMistakeIsNotNoticed(t *testing.T) {
	outcome, err := mistakes.Plant(t.Context(), root, mistakes.Mistake{
		Name: "the same in other words", File: "pass.go", Old: "if limit < 0 {\n\t\treturn stop\n\t}\n\tafter", New: "if limit <= -1 {\n\t\treturn stop\n\t}\n\tafter",
	})
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Caught() {
		t.Errorf("noticed by %s", outcome.NoticedBy())
	}
}

func TestAPanicIsNoticed(t *testing.T) {
	outcome, err := mistakes.Plant(t.Context(), root, mistakes.Mistake{
		Name: "panics", File: "pass.go", Old: "verdict.Deleted = taken\n", New: "panic(taken)\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if !outcome.Caught() || outcome.NoticedBy() != "panics" {
		t.Errorf("caught %t, noticed by %q", outcome.Caught(), outcome.NoticedBy())
	}
}

func TestAMistakeThatDoesNotFitIsAnError(t *testing.T) {
	for _, c := range []struct{ name, old, wrong, want string }{
		{"text is gone", "no such text", "", "stands 0 times"},
		{"text is not unique", "return stop", "", "times in model/pass.go, want once"},
		{"does not compile", "package model", "package model\n\nvar x int = \"\"", "compile"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := mistakes.Plant(t.Context(), root, mistakes.Mistake{Name: c.name, File: "pass.go", Old: c.old, New: c.wrong})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
