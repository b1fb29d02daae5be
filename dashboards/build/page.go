package main

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

// repository is where runbooks are read.
const repository = "https://github.com/kafka-retention-exporter/kafka-retention-exporter/blob/main"

// tag is on every dashboard, so that each links to the others.
const tag = "kafka-retention"

// page is what the dashboards differ in.
type page struct {
	uid, title, text string
	from, to         string
	variables        []cog.Builder[dashboard.VariableModel]
	sections         []section
}

// section is a row with a title and the panels below it.
type section struct {
	title  string
	panels []panel
}

func panels(p ...panel) []panel { return p }

// classic is the model of dashboards that every Grafana reads; the SDK prefers one that only
// Grafana 12 and newer do.
//
//lint:ignore SA1019 see above
type classic = dashboard.Dashboard

func (p page) build() (classic, error) {
	//lint:ignore SA1019 see classic
	d := dashboard.NewDashboardBuilder(p.title).Uid(p.uid).Description(p.text).
		Tags([]string{tag, "kafka"}).Timezone("browser").Readonly().
		Time(p.from, p.to).Refresh("1m").Tooltip(dashboard.DashboardCursorSyncCrosshair).
		Annotations(nil).Variables(p.variables).
		Link(dashboard.NewDashboardLinkBuilder("Kafka retention").Type(dashboard.DashboardLinkTypeDashboards).
			Tags([]string{tag}).IncludeVars(true).Icon("external link").Tooltip("The other dashboards of the exporter")).
		Link(dashboard.NewDashboardLinkBuilder("Runbooks").Type(dashboard.DashboardLinkTypeLink).
			Url(repository + "/alerts/runbooks").TargetBlank(true).Icon("doc").Tooltip("What to do when an alert fires"))
	for _, s := range p.sections {
		d.WithRow(dashboard.NewRowBuilder(s.title))
		for _, one := range s.panels {
			d.WithPanel(one)
		}
	}
	built, err := d.Build()
	number(built.Panels)
	return built, err
}

// number gives every panel its id.
func number(panels []dashboard.PanelOrRowPanel) {
	for i := range panels {
		id := uint32(i + 1)
		if row := panels[i].RowPanel; row != nil {
			row.Id = id
			continue
		}
		panels[i].Panel.Id = &id
	}
}

// sourceVariables are where the data is, which clusters, which scrape job.
func sourceVariables() []cog.Builder[dashboard.VariableModel] {
	return []cog.Builder[dashboard.VariableModel]{
		dashboard.NewDatasourceVariableBuilder("datasource").Label("Data source").Type("prometheus"),
		several("kafka_cluster", "Cluster", "Target label of the scrape. Without it, choose all.", "kafka_retention_up", "kafka_cluster"),
		several("job", "Job", "Scrape job of the exporter.", `kafka_retention_up{kafka_cluster=~"$kafka_cluster"}`, "job"),
	}
}

// several is a variable of label values of which all or some can be chosen.
func several(name, title, text, series, label string) *dashboard.QueryVariableBuilder {
	return one(name, title, text, series, label).Multi(true).IncludeAll(true).AllValue(".*").
		Current(dashboard.VariableOption{Text: dashboard.StringOrArrayOfString{String: new("All")}, Value: dashboard.StringOrArrayOfString{String: new("$__all")}})
}

// one is a variable of label values of which one is chosen.
func one(name, title, text, series, label string) *dashboard.QueryVariableBuilder {
	query := fmt.Sprintf("label_values(%s, %s)", series, label)
	return dashboard.NewQueryVariableBuilder(name).Label(title).Description(text).Datasource(source()).
		Query(dashboard.StringOrMap{Map: map[string]any{"query": query, "refId": name}}).Definition(query).
		Refresh(dashboard.VariableRefreshOnTimeRangeChanged).Sort(dashboard.VariableSortNaturalAsc)
}

// timed is a panel whose range can differ from the dashboard's.
type timed[P any] interface {
	TimeFrom(string) P
	HideTimeOverride(bool) P
}

// atPresent makes a panel show the present on a dashboard whose range ends in the future.
func atPresent[P timed[P]](p P) P { return p.HideTimeOverride(true).TimeFrom("5m") }
