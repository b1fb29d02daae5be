package layout

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "kafka-retention-exporter"

// rule is what a package and everything below it may depend on, the standard library apart.
type rule struct {
	pkg    string
	ours   []string // packages of this module
	others []string // beginnings of import paths of other modules; "*" is any
	never  []string // exceptions from that
}

func rules() []rule {
	const kafka = "github.com/twmb/"
	return []rule{
		{pkg: "model"},
		{pkg: "predictor", ours: []string{"model"}},
		{pkg: "predictor/backtest/track", ours: []string{"model", "predictor"}},
		{pkg: "predictor/backtest/baseline", ours: []string{"model", "predictor", "predictor/backtest/track"}},
		{pkg: "predictor/backtest/score", ours: []string{"model", "predictor", "predictor/backtest/track", "predictor/backtest/baseline"}},
		{pkg: "predictor/backtest/report", ours: []string{"model", "predictor", "predictor/backtest/track", "predictor/backtest/baseline", "predictor/backtest/score", "test/docs"}},
		{pkg: "memory", ours: []string{"model", "predictor"}},
		{pkg: "collector", ours: []string{"model", "collector/committed", "collector/compacted", "collector/disk", "collector/division", "collector/positions"}, others: []string{kafka, "github.com/klauspost/compress", "github.com/pierrec/lz4", "golang.org/x/crypto"}},
		{pkg: "collector/positions", ours: []string{"model", "collector/compacted"}, others: []string{kafka, "github.com/klauspost/compress", "github.com/pierrec/lz4", "golang.org/x/crypto"}},
		{pkg: "collector/compacted", ours: []string{"model"}, others: []string{kafka, "github.com/klauspost/compress", "github.com/pierrec/lz4", "golang.org/x/crypto"}},
		{pkg: "collector/committed", ours: []string{"model", "collector/compacted"}, others: []string{kafka, "github.com/klauspost/compress", "github.com/pierrec/lz4", "golang.org/x/crypto"}},
		{pkg: "collector/disk", ours: []string{"model"}},
		{pkg: "collector/division", ours: []string{"model"}, others: []string{kafka, "github.com/klauspost/compress", "github.com/pierrec/lz4", "golang.org/x/crypto"}},
		{pkg: "collector/login", others: []string{"*"}},
		{pkg: "advice", ours: []string{"model", "predictor"}},
		{pkg: "answers", ours: []string{"model", "predictor", "advice"}},
		{pkg: "exporter", ours: []string{"model", "predictor", "memory", "advice", "answers"}, others: []string{"*"}, never: []string{kafka}},
		{pkg: "alerts", others: []string{"gopkg.in/yaml.v3"}},
		{pkg: "command", ours: []string{"model", "predictor", "advice", "answers", "collector", "collector/committed", "collector/compacted", "collector/disk", "collector/division", "collector/positions"}, others: []string{kafka, "github.com/klauspost/compress", "github.com/pierrec/lz4", "golang.org/x/crypto", "gopkg.in/yaml.v3"}},
		{pkg: "embedded", ours: []string{"model", "predictor", "memory", "advice", "answers", "collector", "collector/committed", "collector/compacted", "collector/disk", "collector/division", "collector/positions", "exporter"}, others: []string{"*"}},
		{pkg: ".", ours: []string{"model", "predictor", "advice", "answers", "command", "collector", "collector/committed", "collector/compacted", "collector/disk", "collector/division", "collector/login", "collector/positions", "memory", "exporter", "alerts"}, others: []string{"*"}},
	}
}

func TestImportsGoOneWay(t *testing.T) {
	for _, r := range rules() {
		t.Run(r.pkg, func(t *testing.T) {
			for _, dependency := range dependencies(t, r.pkg) {
				if !r.allows(dependency) {
					t.Errorf("%s depends on %s", r.pkg, dependency)
				}
			}
		})
	}
}

func (r rule) allows(path string) bool {
	if inside, ok := strings.CutPrefix(path, module+"/"); ok {
		return inside == r.pkg || slices.Contains(r.ours, inside)
	}
	if path == module {
		return r.pkg == "."
	}
	starts := func(prefix string) bool { return prefix == "*" || strings.HasPrefix(path, prefix) }
	return slices.ContainsFunc(r.others, starts) && !slices.ContainsFunc(r.never, starts)
}

// dependencies lists everything outside the standard library that a package is built from.
func dependencies(t *testing.T, pkg string) []string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./"+pkg)
	list.Dir = "../.."
	var errors strings.Builder
	list.Stderr = &errors
	out, err := list.Output()
	if err != nil {
		t.Fatalf("list dependencies of %s: %v: %s", pkg, err, errors.String())
	}
	return strings.Fields(string(out))
}

func TestRulesForbidWhatTheyShould(t *testing.T) {
	byPackage := map[string]rule{}
	for _, r := range rules() {
		byPackage[r.pkg] = r
	}
	for _, c := range []struct {
		pkg, dependency string
		want            bool
	}{
		{"model", module + "/model", true},
		{"model", module + "/predictor", false},
		{"model", "github.com/prometheus/client_golang/prometheus", false},
		{"predictor", module + "/model", true},
		{"predictor", module + "/collector", false},
		{"advice", module + "/predictor", true},
		{"advice", module + "/exporter", false},
		{"advice", "github.com/twmb/franz-go/pkg/kmsg", false},
		{"answers", "github.com/alecthomas/kingpin/v2", false},
		{"collector", module + "/predictor", false},
		{"collector", "github.com/twmb/franz-go/pkg/kgo", true},
		{"collector", "github.com/prometheus/client_golang/prometheus", false},
		{"exporter", module + "/collector", false},
		{"exporter", "github.com/twmb/franz-go/pkg/kmsg", false},
		{"exporter", "github.com/prometheus/common/expfmt", true},
		{"alerts", module + "/model", false},
		{"alerts", "gopkg.in/yaml.v3", true},
		{"embedded", module + "/exporter", true},
		{"embedded", module + "/alerts", false},
		{".", module + "/test/kafka", false},
		{".", module + "/collector", true},
	} {
		if got := byPackage[c.pkg].allows(c.dependency); got != c.want {
			t.Errorf("%s on %s: allowed %t, want %t", c.pkg, c.dependency, got, c.want)
		}
	}
}
