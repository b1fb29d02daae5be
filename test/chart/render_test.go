package chart

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	helm "helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

const (
	folder     = "../../examples/kubernetes/chart"
	everything = "testdata/everything.yaml"
)

func load(t *testing.T) *helm.Chart {
	t.Helper()
	chart, err := loader.LoadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

// values reads a file of values.
func values(t *testing.T, path string) chartutil.Values {
	t.Helper()
	v, err := chartutil.ReadValuesFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// render gives the documents as helm template would, in the order of the templates' names.
func render(chart *helm.Chart, v map[string]any) (documents []string, err error) {
	release := chartutil.ReleaseOptions{Name: "kre", Namespace: "monitoring", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, v, release, nil)
	if err != nil {
		return nil, err
	}
	files, err := engine.Render(chart, all)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(name) != ".yaml" {
			continue
		}
		for document := range strings.SplitSeq(files[name], "\n---\n") {
			if strings.TrimSpace(document) != "" {
				documents = append(documents, document)
			}
		}
	}
	return documents, nil
}

// objects are what the documents hold.
type objects struct {
	accounts    []core.ServiceAccount
	configs     []core.ConfigMap
	claims      []core.PersistentVolumeClaim
	deployments []apps.Deployment
	services    []core.Service
	monitors    []monitoring.ServiceMonitor
	rules       []monitoring.PrometheusRule
}

// add decodes a document. Fields that its type does not know are errors.
func (o *objects) add(document string) error {
	var kind struct{ Kind string }
	if err := yaml.Unmarshal([]byte(document), &kind); err != nil {
		return err
	}
	switch kind.Kind {
	case "ServiceAccount":
		return decode(document, &o.accounts)
	case "ConfigMap":
		return decode(document, &o.configs)
	case "PersistentVolumeClaim":
		return decode(document, &o.claims)
	case "Deployment":
		return decode(document, &o.deployments)
	case "Service":
		return decode(document, &o.services)
	case "ServiceMonitor":
		return decode(document, &o.monitors)
	case "PrometheusRule":
		return decode(document, &o.rules)
	}
	return errors.New("kind " + kind.Kind + " is not checked")
}

func decode[T any](document string, into *[]T) error {
	var one T
	if err := yaml.UnmarshalStrict([]byte(document), &one); err != nil {
		return fmt.Errorf("%w in\n%s", err, document)
	}
	*into = append(*into, one)
	return nil
}

// rendered decodes what the chart gives for values.
func rendered(t *testing.T, v map[string]any) (o objects) {
	t.Helper()
	documents, err := render(load(t), v)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		if err := o.add(d); err != nil {
			t.Error(err)
		}
	}
	return o
}

// config is the exporter's configuration file for a cluster.
func (o objects) config(t *testing.T, cluster string) (text string, settings map[string]any) {
	t.Helper()
	for _, c := range o.configs {
		if c.Labels["kafka_cluster"] != cluster {
			continue
		}
		text = c.Data["config.yml"]
		if err := yaml.UnmarshalStrict([]byte(text), &settings); err != nil {
			t.Fatal(err)
		}
	}
	if settings == nil {
		t.Fatalf("no configuration for %s", cluster)
	}
	return text, settings
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
