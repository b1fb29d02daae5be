package exporter_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// TestTextIsWhatTheRegistryWouldWrite holds the pages that are written without the registry to
// those that Prometheus' own library makes of the same state: the same lines, whatever is in names.
func TestTextIsWhatTheRegistryWouldWrite(t *testing.T) {
	for _, format := range []string{"text/plain;version=0.0.4", "application/openmetrics-text;version=1.0.0"} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, 30*time.Second, time.Now, variedCluster)
			r.predictor.report = func(s *model.Snapshot, now model.Instant) *predictor.Report {
				report := variedReport(s, now)
				for _, name := range []string{`say "hi"`, "two\nlines", `back\slash`, "<b>bold</b>", "日本", "\xff"} {
					odd := report.Pairs[0]
					odd.Key.Group, odd.Used = name, model.Known(0.1+0.2)
					report.Pairs = append(report.Pairs, odd)
				}
				return report
			}
			r.start()
			synctest.Wait()
			got := r.get("/metrics", "Accept", format).Body.String()
			want := byTheRegistry(t, r, format)
			if a, b := sortedLines(got), sortedLines(want); !slices.Equal(a, b) {
				for i := range min(len(a), len(b)) {
					if a[i] != b[i] {
						t.Fatalf("%s:\n got %s\nwant %s", format, a[i], b[i])
					}
				}
				t.Fatalf("%s: %d lines, want %d", format, len(a), len(b))
			}
			if a, b := familyLines(got), familyLines(want); !slices.Equal(a, b) {
				t.Errorf("%s: the families come as %v, want %v", format, a, b)
			}
		})
	}
}

func byTheRegistry(t *testing.T, r *rig, accept string) string {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	for _, c := range r.runtime.Collectors() {
		registry.MustRegister(c)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	encoder := expfmt.NewEncoder(&buf, expfmt.NegotiateAccept(map[string][]string{"Accept": {accept}}, expfmt.DefaultOpenMetricsAcceptedFormats()...))
	for _, f := range families {
		if err := encoder.Encode(f); err != nil {
			t.Fatal(err)
		}
	}
	if closer, ok := encoder.(expfmt.Closer); ok {
		if err := closer.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return buf.String()
}

func sortedLines(page string) []string { return slices.Sorted(strings.SplitSeq(page, "\n")) }

func familyLines(page string) (lines []string) {
	for line := range strings.SplitSeq(page, "\n") {
		if strings.HasPrefix(line, "# TYPE") {
			lines = append(lines, line)
		}
	}
	return lines
}
