package main

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/units"
)

// column is a column of a table: a label, or the value of an expression.
type column struct {
	name, label string
	expr        string // nothing for a label
	hidden      bool   // the expression is there for its labels
	show        []dashboard.DynamicConfigValue
}

// grid makes a table of instants: one row for each set of labels, its columns from several
// queries put together by them. It is sorted by the named column, smallest first.
func grid(a about, sortBy string, columns ...column) *table.PanelBuilder {
	queries, arranged := arrange(columns)
	t := describe(table.NewPanelBuilder(), a, atEnd(queries, prometheus.PromQueryFormatTable)).
		Transformations([]dashboard.DataTransformerConfig{{Id: "merge", Options: map[string]any{}}, arranged}).
		SortBy([]cog.Builder[common.TableSortByFieldState]{common.NewTableSortByFieldStateBuilder().DisplayName(sortBy).Desc(false)}).
		Footer(common.NewTableFooterOptionsBuilder().Show(false).Reducer([]string{})). // without a reducer it does not decode strictly
		Filterable(true).Thresholds(steps(plain)).NoValue("unknown")
	for _, c := range columns {
		if len(c.show) > 0 {
			t.OverrideByName(c.name, c.show)
		}
	}
	return t
}

// arrange takes the queries out of columns and makes the transformation that puts their values
// under the columns' names and in their order. Grafana calls the value of query A "Value #A", or
// "Value" where it is the only one.
func arrange(columns []column) (queries []query, arranged dashboard.DataTransformerConfig) {
	for _, c := range columns {
		if c.expr != "" {
			queries = append(queries, query{expr: c.expr})
		}
	}
	name, order, hide := map[string]string{}, map[string]int{}, map[string]bool{"Time": true}
	asked := 0
	for i, c := range columns {
		field := c.label
		if c.expr != "" {
			field = "Value"
			if len(queries) > 1 {
				field = fmt.Sprintf("Value #%c", 'A'+asked)
			}
			asked++
		}
		name[field], order[field] = c.name, i
		if c.hidden {
			hide[field] = true
		}
	}
	return queries, dashboard.DataTransformerConfig{Id: "organize", Options: map[string]any{
		"renameByName": name, "indexByName": order, "excludeByName": hide,
	}}
}

// label is a column that shows a label.
func label(name, label string, show ...dashboard.DynamicConfigValue) column {
	return column{name: name, label: label, show: show}
}

// value is a column that shows what an expression gives.
func value(name, unit, expr string, show ...dashboard.DynamicConfigValue) column {
	return column{name: name, expr: expr, show: append([]dashboard.DynamicConfigValue{property("unit", unit)}, show...)}
}

// rows is an expression that is asked for the sake of its labels.
func rows(expr string) column { return column{name: "1", expr: expr, hidden: true} }

// timeLeft is a column of seconds until something, coloured as alerts see it.
func timeLeft(name, expr, endless string) column {
	return value(name, units.DurationSeconds, expr, mapped(endless), property("thresholds", timeLeftSteps().T), inColour())
}

// used is a column of the share of retention that is used, as a bar.
func used(expr string) column {
	return value("Retention used", units.PercentUnit, expr, property("thresholds", usedSteps().T),
		property("min", 0), property("max", 1),
		property("custom.cellOptions", map[string]any{"type": "gauge", "mode": "basic"}))
}

// when is a column of instants.
func when(name, expr, endless string) column {
	return value(name, units.DatetimeISO, milliseconds(expr), mapped(endless))
}

func property(id string, value any) dashboard.DynamicConfigValue {
	return dashboard.DynamicConfigValue{Id: id, Value: value}
}

func mapped(endless string) dashboard.DynamicConfigValue {
	return property("mappings", unlimited(endless))
}

// inColour gives text the colour of its threshold.
func inColour() dashboard.DynamicConfigValue {
	return property("custom.cellOptions", map[string]any{"type": "color-text"})
}

// opens makes the cells of a column links.
func opens(title, url string) dashboard.DynamicConfigValue {
	return property("links", []map[string]any{{"title": title, "url": url}})
}
