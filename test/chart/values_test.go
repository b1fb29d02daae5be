package chart

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	helm "helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
)

// others are values where a change of the usual kind would not be valid.
var others = map[string]any{
	".image.digest":     "sha256:" + strings.Repeat("a", 64),
	".image.pullPolicy": "Always",
	".defaults.scheme":  "HTTPS",
	".clusters[0].name": "third",
}

// TestEveryValueReachesTheManifests changes each value, one at a time, and expects other manifests.
// Nothing is left out, so a value that no template reads fails here.
func TestEveryValueReachesTheManifests(t *testing.T) {
	chart := load(t)
	all, err := chartutil.CoalesceValues(chart, values(t, everything))
	if err != nil {
		t.Fatal(err)
	}
	leaves, usual := 0, text(t, "", chart, all)
	walk("", map[string]any(all), func(path string, old any, set func(any)) {
		leaves++
		before := usual
		if undo, ok := unhide(all, path); ok {
			defer undo()
			before = text(t, path, chart, all)
		}
		value, known := others[path]
		if !known {
			value = changed(t, path, old)
		}
		set(value)
		if text(t, path, chart, all) == before {
			t.Errorf("%s: %v in the place of %v changes nothing", path, value, old)
		}
		set(old)
	})
	if leaves < 80 {
		t.Errorf("only %d values", leaves)
	}
}

// unhide makes a default count that the clusters of testdata hide: their own claim, or three
// replicas beside one.
func unhide(all map[string]any, path string) (undo func(), ok bool) {
	ofClaim := strings.HasPrefix(path, ".defaults.state.claim.")
	if !ofClaim && path != ".defaults.replicas" && path != ".defaults.state.sizeLimit" {
		return nil, false
	}
	clusters := all["clusters"].([]any)
	first := clusters[0].(map[string]any)
	claim := all["defaults"].(map[string]any)["state"].(map[string]any)["claim"].(map[string]any)
	own, enabled := first["state"], claim["enabled"]
	delete(first, "state")
	if ofClaim {
		all["clusters"] = clusters[:1]
	}
	if ofClaim && !strings.HasSuffix(path, ".enabled") {
		claim["enabled"] = true
	}
	return func() { first["state"], claim["enabled"], all["clusters"] = own, enabled, clusters }, true
}

// walk calls visit for everything in a value that holds nothing further; an empty list or mapping is one.
func walk(path string, v any, visit func(path string, old any, set func(any))) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if holds(inner) {
				walk(path+"."+name, inner, visit)
			} else {
				visit(path+"."+name, inner, func(x any) { v[name] = x })
			}
		}
	case []any:
		for i, inner := range v {
			if holds(inner) {
				walk(fmt.Sprintf("%s[%d]", path, i), inner, visit)
			} else {
				visit(fmt.Sprintf("%s[%d]", path, i), inner, func(x any) { v[i] = x })
			}
		}
	}
}

func holds(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}

// changed is another value of the same kind.
func changed(t *testing.T, path string, old any) any {
	t.Helper()
	switch old := old.(type) {
	case bool:
		return !old
	case string:
		return old + "x"
	case float64:
		return old + 1
	case int64:
		return old + 1
	case []any:
		return []any{map[string]any{"name": "x"}}
	case map[string]any:
		return map[string]any{"x": "y"}
	}
	t.Fatalf("%s is a %T", path, old)
	return nil
}

func text(t *testing.T, path string, chart *helm.Chart, v map[string]any) string {
	t.Helper()
	documents, err := render(chart, v)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return strings.Join(documents, "\n---\n")
}

// TestEveryFlagCanBeSet sets each flag that README.md lists and finds it in the configuration.
func TestEveryFlagCanBeSet(t *testing.T) {
	// Not settings, or what another value of the chart gives.
	apart := []string{"version", "config.file", "config.check", "web.listen-address"}
	table := regexp.MustCompile(`(?s)<!-- generated: flags -->.*?<!-- end of flags -->`).FindString(read(t, "../../README.md"))
	flags := regexp.MustCompile("(?m)^\\| `--([\\w.-]+)`").FindAllStringSubmatch(table, -1)
	if len(flags) < 35 {
		t.Fatalf("README.md has %d flags", len(flags))
	}
	for _, f := range flags {
		section, name, _ := strings.Cut(f[1], ".")
		if slices.Contains(apart, f[1]) {
			continue
		}
		settings := map[string]any{section: map[string]any{name: "own"}}
		cluster := map[string]any{"name": "a", "config": map[string]any{"kafka": map[string]any{"brokers": []any{"b"}}}}
		o := rendered(t, map[string]any{"defaults": map[string]any{"config": settings}, "clusters": []any{cluster}})
		_, config := o.config(t, "a")
		want := "own"
		if f[1] == "kafka.brokers" {
			want = "[b]"
		}
		if in, _ := config[section].(map[string]any); fmt.Sprint(in[name]) != want {
			t.Errorf("--%s does not reach the configuration: %v", f[1], config)
		}
	}
}

// TestProgramAcceptsTheConfiguration gives the program each rendered file to check.
func TestProgramAcceptsTheConfiguration(t *testing.T) {
	program := filepath.Join(t.TempDir(), "kafka-retention-exporter")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	for _, v := range []map[string]any{nil, values(t, everything)} {
		for _, c := range rendered(t, v).configs {
			folder := t.TempDir()
			secret, file := filepath.Join(folder, "secret"), filepath.Join(folder, "config.yml")
			config := strings.ReplaceAll(c.Data["config.yml"], "/etc/kafka-user/secret", secret)
			config = strings.ReplaceAll(config, "/var/lib/kafka-retention-exporter", folder)
			for path, content := range map[string]string{secret: "secret", file: config} {
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := exec.CommandContext(t.Context(), program, "--config.file="+file, "--config.check").CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\n%s", err, out, config)
			}
		}
	}
}
