package main

import (
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/variants"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/statetimeline"
	"github.com/grafana/grafana-foundation-sdk/go/statushistory"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

// about is what every panel must have. Width is in 24ths of the page.
type about struct {
	title, text, unit string
	width, height     uint32
}

// query is an expression and the name of its series.
type query struct{ expr, legend string }

// builder is what the SDK's builders of panels have in common.
type builder[P any] interface {
	panel
	Title(string) P
	Description(string) P
	Unit(string) P
	Span(uint32) P
	Height(uint32) P
	Datasource(common.DataSourceRef) P
	Targets([]cog.Builder[variants.Dataquery]) P
}

func describe[P builder[P]](p P, a about, targets []cog.Builder[variants.Dataquery]) P {
	return p.Title(a.title).Description(a.text).Unit(a.unit).Span(a.width).Height(a.height).
		Datasource(source()).Targets(targets)
}

func source() common.DataSourceRef {
	return common.DataSourceRef{Type: new("prometheus"), Uid: new("${datasource}")}
}

func target(i int, q query) *prometheus.DataqueryBuilder {
	t := prometheus.NewDataqueryBuilder().RefId(string(rune('A' + i))).Expr(q.expr).EditorMode(prometheus.QueryEditorModeCode)
	if q.legend != "" {
		t.LegendFormat(q.legend)
	}
	return t
}

// overTime asks for every step of the range.
func overTime(queries []query) (all []cog.Builder[variants.Dataquery]) {
	for i, q := range queries {
		all = append(all, target(i, q).Range())
	}
	return all
}

// atEnd asks for the end of the range only.
func atEnd(queries []query, format prometheus.PromQueryFormat) (all []cog.Builder[variants.Dataquery]) {
	for i, q := range queries {
		all = append(all, target(i, q).Instant().Format(format))
	}
	return all
}

// figure shows single values. An absent one is unknown.
func figure(a about, queries ...query) *stat.PanelBuilder {
	return describe(stat.NewPanelBuilder(), a, atEnd(queries, prometheus.PromQueryFormatTimeSeries)).
		ReduceOptions(common.NewReduceDataOptionsBuilder().Calcs([]string{"lastNotNull"})).
		GraphMode(common.BigValueGraphModeNone).ColorMode(common.BigValueColorModeValue).
		Thresholds(steps(plain)).NoValue("unknown")
}

// chart draws lines.
func chart(a about, queries ...query) *timeseries.PanelBuilder {
	return describe(timeseries.NewPanelBuilder(), a, overTime(queries)).
		LineWidth(1).FillOpacity(0).ShowPoints(common.VisibilityModeNever).
		Legend(common.NewVizLegendOptionsBuilder().DisplayMode(common.LegendDisplayModeList).Placement(common.LegendPlacementBottom).ShowLegend(true)).
		Tooltip(common.NewVizTooltipOptionsBuilder().Mode(common.TooltipDisplayModeMulti).Sort(common.SortOrderAscending))
}

// strip draws a row of coloured cells for each series.
func strip(a about, queries ...query) *statushistory.PanelBuilder {
	return describe(statushistory.NewPanelBuilder(), a, overTime(queries)).
		ShowValue(common.VisibilityModeNever).RowHeight(0.9).ColWidth(0.95).MaxDataPoints(120).
		Legend(common.NewVizLegendOptionsBuilder().ShowLegend(true).DisplayMode(common.LegendDisplayModeList).Placement(common.LegendPlacementBottom))
}

// timeline draws how a state changes.
func timeline(a about, queries ...query) *statetimeline.PanelBuilder {
	return describe(statetimeline.NewPanelBuilder(), a, overTime(queries)).
		ShowValue(common.VisibilityModeAuto).MergeValues(true).RowHeight(0.8)
}

// Colours by meaning.
const (
	plain   = "text"
	bad     = "red"
	nearing = "orange"
	good    = "green"
)

// steps are thresholds: a colour from the bottom, then those that begin at a value.
func steps(base string, more ...dashboard.Threshold) fixed[dashboard.ThresholdsConfig] {
	return fixed[dashboard.ThresholdsConfig]{dashboard.ThresholdsConfig{
		Mode: dashboard.ThresholdsModeAbsolute, Steps: append([]dashboard.Threshold{{Color: base}}, more...),
	}}
}

func from(value float64, color string) dashboard.Threshold {
	return dashboard.Threshold{Value: new(value), Color: color}
}

// fixed is a builder of something that is built already.
type fixed[T any] struct{ T T }

// Build gives it.
func (f fixed[T]) Build() (T, error) { return f.T, nil }

// timeLeftSteps follow the shipped alerts: a page below four hours, a warning below a day.
func timeLeftSteps() fixed[dashboard.ThresholdsConfig] {
	return steps(bad, from(4*3600, nearing), from(24*3600, good))
}

// usedSteps: the shipped alert comes at half, and at one retention deletes.
func usedSteps() fixed[dashboard.ThresholdsConfig] {
	return steps(good, from(0.5, nearing), from(1, bad))
}

// unlimited gives +Inf a text. No time left and no instant is as large as this.
func unlimited(text string) []dashboard.ValueMapping {
	return []dashboard.ValueMapping{{RangeMap: &dashboard.RangeMap{
		Type: dashboard.MappingTypeRangeToText,
		Options: dashboard.DashboardRangeMapOptions{
			From: new(1e15), Result: dashboard.ValueMappingResult{Text: new(text), Color: new(good)},
		},
	}}}
}

const noLoss = "no loss in sight"

// panel is one that can be put on a page.
type panel = cog.Builder[dashboard.Panel]
