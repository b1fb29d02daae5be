package dashboards

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

//go:embed *.json
var embedded embed.FS

// Dashboard is what tests need to know of one.
type Dashboard struct {
	File        string `json:"-"`
	UID         string
	Title       string
	Description string
	Editable    bool
	Time        struct{ From, To string }
	Panels      []Panel
	Templating  struct{ List []Variable }
}

// Panel is a panel, or with the type "row" a heading.
type Panel struct {
	ID          uint32
	Type        string
	Title       string
	Description string
	Datasource  struct{ Type, UID string }
	TimeFrom    string // a range of its own, which ends now, like "5m"
	FieldConfig struct {
		Defaults struct{ Unit, NoValue string }
	}
	Targets         []Query
	Transformations []struct {
		ID      string
		Options json.RawMessage
	}
}

// Query is one query of a panel: PromQL with Grafana's variables in it. Instant ones are asked at
// the end of the range.
type Query struct {
	RefID   string
	Expr    string
	Legend  string `json:"legendFormat"`
	Instant bool
	Range   bool
}

// Variable is a variable of a dashboard. The query of a query variable is an object with the
// member query; that of a data source variable is its type.
type Variable struct {
	Name, Type string
	Query      json.RawMessage
}

// All reads the dashboards, in the order of their files' names.
func All() ([]Dashboard, error) {
	paths, err := fs.Glob(embedded, "*.json")
	if err != nil {
		return nil, fmt.Errorf("list dashboards: %w", err)
	}
	var all []Dashboard
	for _, path := range paths {
		text, err := embedded.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read dashboard: %w", err)
		}
		d := Dashboard{File: path}
		if err := json.Unmarshal(text, &d); err != nil {
			return nil, fmt.Errorf("decode %s: %w", path, err)
		}
		all = append(all, d)
	}
	return all, nil
}
