package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
)

// TestCommittedFilesAreWhatIsBuilt fails when somebody edits the JSON, or the code without
// running it.
func TestCommittedFilesAreWhatIsBuilt(t *testing.T) {
	built, err := files()
	if err != nil {
		t.Fatal(err)
	}
	committed, err := filepath.Glob("../*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range committed {
		if _, ok := built[filepath.Base(path)]; !ok {
			t.Errorf("%s is not built by this module", path)
		}
	}
	for name, want := range built {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Error(err)
		} else if string(got) != string(want) {
			t.Errorf("%s differs from what is built: go run . in dashboards/build, and commit", name)
		}
	}
}

func TestFilesDecodeStrictly(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	for name, text := range committed(t) {
		if err := strictly(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStrictDecodingFindsMistakes shows that the test above can fail: each mistake is one that
// Grafana would pass over in silence.
func TestStrictDecodingFindsMistakes(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	for _, c := range []struct {
		name string
		make func(d, panel, target map[string]any)
	}{
		{"key of the dashboard", func(d, _, _ map[string]any) { d["refesh"] = "1m" }},
		{"key of a panel", func(_, p, _ map[string]any) { p["titel"] = "x" }},
		{"option of a panel", func(_, p, _ map[string]any) { p["options"].(map[string]any)["grafMode"] = "none" }},
		{"type in a field configuration", func(_, p, _ map[string]any) {
			p["fieldConfig"].(map[string]any)["defaults"].(map[string]any)["unit"] = 7
		}},
		{"key of a query", func(_, _, q map[string]any) { q["exprr"] = "up" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d map[string]any
			if err := json.Unmarshal(committed(t)["retention-overview.json"], &d); err != nil {
				t.Fatal(err)
			}
			panel := d["panels"].([]any)[1].(map[string]any)
			c.make(d, panel, panel["targets"].([]any)[0].(map[string]any))
			text, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			if err := strictly(text); err == nil {
				t.Error("decodes")
			}
		})
	}
}

func committed(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("found no dashboards (%v)", err)
	}
	out := map[string][]byte{}
	for _, path := range paths {
		if out[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// strictly decodes a dashboard with the SDK's own types and gives what they do not know. The SDK
// passes over errors within targets, so these are decoded on their own. (Of panels it reports
// errors, but keeps nothing.)
func strictly(text []byte) error {
	var d classic
	if err := genuine(d.UnmarshalJSONStrict(text)); err != nil {
		return err
	}
	var raw struct {
		Panels []struct{ Targets []json.RawMessage }
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	if len(raw.Panels) == 0 {
		return errors.New("no panels")
	}
	for _, p := range raw.Panels {
		for _, target := range p.Targets {
			var q prometheus.Dataquery
			if err := genuine(q.UnmarshalJSONStrict(target)); err != nil {
				return err
			}
		}
	}
	return nil
}

// genuine is the error if it says anything: the SDK returns an empty one on success.
func genuine(err error) error {
	if none := (cog.BuildErrors)(nil); errors.As(err, &none) && len(none) == 0 {
		return nil
	}
	return err
}
