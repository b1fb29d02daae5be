package dashboards_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/dashboards"
	"kafka-retention-exporter/test/names"
)

func all(t *testing.T) []dashboards.Dashboard {
	t.Helper()
	read, err := dashboards.All()
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// each calls do with every panel that is no heading.
func each(t *testing.T, do func(t *testing.T, d dashboards.Dashboard, p dashboards.Panel)) {
	for _, d := range all(t) {
		for _, p := range d.Panels {
			if p.Type != "row" {
				t.Run(d.File+"/"+p.Title, func(t *testing.T) { do(t, d, p) })
			}
		}
	}
}

// TestAddressesStay: links, bookmarks and provisioning go by the uid.
func TestAddressesStay(t *testing.T) {
	want := map[string]string{
		"retention-overview.json":  "kafka-retention-overview",
		"group-and-partition.json": "kafka-retention-group-partition",
		"exporter-health.json":     "kafka-retention-exporter-health",
	}
	for _, d := range all(t) {
		if d.UID != want[d.File] {
			t.Errorf("%s has the uid %q, want %q", d.File, d.UID, want[d.File])
		}
		delete(want, d.File)
		if d.Editable || d.Title == "" || d.Description == "" {
			t.Errorf("%s: editable %t, title %q, description %q", d.File, d.Editable, d.Title, d.Description)
		}
	}
	for file := range want {
		t.Errorf("%s is missing", file)
	}
}

func TestPanelsExplainThemselves(t *testing.T) {
	each(t, func(t *testing.T, _ dashboards.Dashboard, p dashboards.Panel) {
		if p.Title == "" || len(p.Description) < 40 || p.FieldConfig.Defaults.Unit == "" {
			t.Errorf("title %q, description %q, unit %q", p.Title, p.Description, p.FieldConfig.Defaults.Unit)
		}
		if p.Datasource.UID != "${datasource}" || p.Datasource.Type != "prometheus" {
			t.Errorf("data source %+v is not the variable", p.Datasource)
		}
		if len(p.Targets) == 0 {
			t.Error("no query")
		}
		for _, q := range p.Targets {
			if q.Instant == q.Range {
				t.Errorf("query %s: instant %t, range %t", q.RefID, q.Instant, q.Range)
			}
		}
	})
}

// ofTheProcess are the metrics of the Go client that the program serves beside its own, and the
// one that Prometheus makes.
var ofTheProcess = []string{"up", "process_cpu_seconds_total", "process_resident_memory_bytes", "go_goroutines"}

func TestEveryMetricExists(t *testing.T) {
	known := slices.Concat(names.Served(), ofTheProcess)
	each(t, func(t *testing.T, _ dashboards.Dashboard, p dashboards.Panel) {
		for _, q := range p.Targets {
			metrics := metricsIn(q.Expr)
			if len(metrics) == 0 {
				t.Errorf("query %s names no metric: %s", q.RefID, q.Expr)
			}
			for _, m := range metrics {
				if !slices.Contains(known, m) {
					t.Errorf("query %s uses %s, which does not exist", q.RefID, m)
				}
			}
		}
	})
	for _, d := range all(t) {
		for _, v := range d.Templating.List {
			for _, m := range regexp.MustCompile(`kafka_retention_\w+`).FindAllString(string(v.Query), -1) {
				if !slices.Contains(known, m) {
					t.Errorf("%s: variable %s uses %s, which does not exist", d.File, v.Name, m)
				}
			}
		}
	}
}

// metricsIn are the names before matchers; every series in the dashboards has some.
func metricsIn(expr string) (metrics []string) {
	for _, found := range regexp.MustCompile(`([a-zA-Z_:][\w:]*)\{`).FindAllStringSubmatch(expr, -1) {
		metrics = append(metrics, found[1])
	}
	return metrics
}

// TestInstantsAreNeverAveraged: one +Inf, "no loss in sight", would be the average and the sum of
// any number of groups.
func TestInstantsAreNeverAveraged(t *testing.T) {
	each(t, func(t *testing.T, _ dashboards.Dashboard, p dashboards.Panel) {
		for _, q := range p.Targets {
			if averagesInstants(q.Expr) {
				t.Errorf("query %s averages or adds instants: %s", q.RefID, q.Expr)
			}
		}
	})
	for expr, want := range map[string]bool{
		`avg(kafka_retention_group_loss_timestamp_seconds{})`:                           true,
		`sum by (topic) (kafka_retention_group_time_to_loss_seconds{})`:                 true,
		`avg_over_time(kafka_retention_volume_full_timestamp_seconds{}[5m])`:            true,
		`min by (topic) (kafka_retention_group_loss_timestamp_seconds{})`:               false,
		`sum(kafka_retention_group_lag_records{})`:                                      false,
		`count(min by (topic) (kafka_retention_group_loss_timestamp_seconds{}) > 5)`:    false,
		`max_over_time(timestamp(kafka_retention_group_loss_timestamp_seconds{})[5m:])`: false,
	} {
		if averagesInstants(expr) != want {
			t.Errorf("averagesInstants(%s) is %t", expr, !want)
		}
	}
}

func averagesInstants(expr string) bool {
	mixing := regexp.MustCompile(`\b(avg|sum|stddev|stdvar|quantile)(_over_time)?\b`)
	instant := regexp.MustCompile(`_timestamp_seconds|_time_to_loss_seconds|_topic_retention_`)
	return mixing.MatchString(expr) && instant.MatchString(expr)
}

// TestMatchersUseEveryVariable: a variable that a page offers must change what the page shows,
// and a query must keep clusters and jobs apart.
func TestMatchersUseEveryVariable(t *testing.T) {
	for _, d := range all(t) {
		var asked strings.Builder
		for _, p := range d.Panels {
			for _, q := range p.Targets {
				for _, v := range []string{`job=~"$job"`, `kafka_cluster=~"$kafka_cluster"`} {
					if strings.Count(q.Expr, v) != len(metricsIn(q.Expr)) {
						t.Errorf("%s, %s, query %s: not every series has %s", d.File, p.Title, q.RefID, v)
					}
				}
				asked.WriteString(q.Expr)
			}
		}
		for _, v := range d.Templating.List {
			if v.Name != "datasource" && !strings.Contains(asked.String(), `"$`+v.Name+`"`) {
				t.Errorf("%s offers the variable %s and does not use it", d.File, v.Name)
			}
		}
	}
}

func TestVariables(t *testing.T) {
	want := map[string][]string{
		"retention-overview.json":  {"datasource", "kafka_cluster", "job", "group", "topic"},
		"group-and-partition.json": {"datasource", "kafka_cluster", "job", "group", "topic", "partition"},
		"exporter-health.json":     {"datasource", "kafka_cluster", "job", "instance"},
	}
	for _, d := range all(t) {
		var have []string
		for _, v := range d.Templating.List {
			have = append(have, v.Name)
		}
		if !slices.Equal(have, want[d.File]) {
			t.Errorf("%s has the variables %v, want %v", d.File, have, want[d.File])
		}
	}
}

// TestPresentIsNotAskedInTheFuture: on the page whose range ends in the future, an instant query
// would be asked there and find nothing, so its panel must have a range of its own.
func TestPresentIsNotAskedInTheFuture(t *testing.T) {
	each(t, func(t *testing.T, d dashboards.Dashboard, p dashboards.Panel) {
		for _, q := range p.Targets {
			if q.Instant && d.Time.To != "now" && p.TimeFrom == "" {
				t.Errorf("query %s is asked at %s", q.RefID, d.Time.To)
			}
		}
	})
}

// TestLinksLeadToRunbooks: to where those of the alerts lead, and to pages that are there.
func TestLinksLeadToRunbooks(t *testing.T) {
	home := alerts.Default().Runbooks
	for _, d := range all(t) {
		text, err := os.ReadFile(d.File)
		if err != nil {
			t.Fatal(err)
		}
		links := regexp.MustCompile(`"url": "(http[^"]*)"`).FindAllStringSubmatch(string(text), -1)
		if len(links) == 0 {
			t.Errorf("%s has no link to the runbooks", d.File)
		}
		for _, link := range links {
			page, there := strings.CutPrefix(link[1], home)
			if _, err := os.Stat("../alerts/runbooks" + page); !there || err != nil {
				t.Errorf("%s links to %s (%v)", d.File, link[1], err)
			}
		}
	}
}
