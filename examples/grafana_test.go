package examples

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// datasources and providers are what Grafana's provisioning takes, as far as the examples use it.
type datasources struct {
	APIVersion  int `yaml:"apiVersion"`
	Datasources []struct {
		Name, UID, Type, Access, URL string
		IsDefault                    bool `yaml:"isDefault"`
		JSONData                     struct {
			TimeInterval string `yaml:"timeInterval"`
			HTTPMethod   string `yaml:"httpMethod"`
		} `yaml:"jsonData"`
	}
}

type providers struct {
	APIVersion int `yaml:"apiVersion"`
	Providers  []struct {
		Name, Folder, Type    string
		AllowUIUpdates        bool `yaml:"allowUiUpdates"`
		UpdateIntervalSeconds int  `yaml:"updateIntervalSeconds"`
		Options               struct{ Path string }
	}
}

func TestGrafanaFindsPrometheusAndDashboards(t *testing.T) {
	services := documents[composition](t, "compose/compose.yml")[0].Services
	sources := documents[datasources](t, "grafana/provisioning/datasources/prometheus.yml")[0]
	if len(sources.Datasources) != 1 || sources.APIVersion != 1 {
		t.Fatalf("data sources: %+v", sources)
	}
	source := sources.Datasources[0]
	if host, port, ok := strings.Cut(strings.TrimPrefix(source.URL, "http://"), ":"); !ok || port != "9090" || services[host].Image == "" {
		t.Errorf("the data source is at %s, where compose runs nothing", source.URL)
	}
	scraping := documents[map[string]any](t, "prometheus/prometheus.yml")[0]["global"].(map[string]any)
	if scraping["scrape_interval"] != source.JSONData.TimeInterval || source.Type != "prometheus" {
		t.Errorf("data source %+v, scraped every %v", source, scraping["scrape_interval"])
	}

	provided := documents[providers](t, "grafana/provisioning/dashboards/kafka-retention.yml")[0]
	if len(provided.Providers) != 1 || provided.APIVersion != 1 {
		t.Fatalf("providers: %+v", provided)
	}
	folder, ok := services["grafana"].mounts("compose")[provided.Providers[0].Options.Path]
	if !ok {
		t.Fatalf("compose mounts nothing at %s", provided.Providers[0].Options.Path)
	}
	if found, err := filepath.Glob(filepath.Join(folder, "*.json")); err != nil || len(found) < 3 {
		t.Errorf("dashboards in %s: %v (%v)", folder, found, err)
	}
}

// composition is a Compose file as far as tests here look at it; its schema is test/manifests' matter.
type composition struct {
	Name     string
	Services map[string]service
}

type service struct {
	Image, Build string
	Command      []string
	Environment  map[string]string
	Volumes      []string
	Ports        []string
	DependsOn    []string `yaml:"depends_on"`
	ReadOnly     bool     `yaml:"read_only"`
	CapDrop      []string `yaml:"cap_drop"`
	Restart      string
}

// mounts are the folders of this computer by the paths they have in the container. Paths in a
// Compose file start at the file's folder.
func (s service) mounts(folder string) map[string]string {
	all := map[string]string{}
	for _, volume := range s.Volumes {
		parts := strings.Split(volume, ":")
		all[parts[1]] = filepath.Join(folder, parts[0])
	}
	return all
}

// TestComposeMountsWhatProgramsRead looks up every file that a command names in what is mounted.
func TestComposeMountsWhatProgramsRead(t *testing.T) {
	for name, s := range documents[composition](t, "compose/compose.yml")[0].Services {
		for _, port := range s.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s listens beyond this computer: %s", name, port)
			}
		}
		if s.Build != "" {
			exists(t, name, filepath.Join("compose", s.Build, "Dockerfile"))
		}
		mounts := s.mounts("compose")
		for inside, outside := range mounts {
			exists(t, name+" at "+inside, outside)
		}
		for _, arg := range s.Command {
			file, ok := strings.CutPrefix(arg, "--config.file=")
			if !ok {
				continue
			}
			outside, ok := mounts[filepath.Dir(file)]
			if !ok {
				t.Errorf("%s: nothing is mounted for %s", name, file)
				continue
			}
			exists(t, name, filepath.Join(outside, filepath.Base(file)))
		}
	}
}

// TestPrometheusInComposeFindsTheRules: the configuration names rules relative to itself, and the
// container keeps both at the same distance.
func TestPrometheusInComposeFindsTheRules(t *testing.T) {
	mounts := documents[composition](t, "compose/compose.yml")[0].Services["prometheus"].mounts("compose")
	config := documents[map[string]any](t, "prometheus/prometheus.yml")[0]
	for inside, outside := range mounts {
		if _, err := os.Stat(filepath.Join(outside, "prometheus.yml")); err != nil {
			continue
		}
		for _, file := range config["rule_files"].([]any) {
			rules := filepath.Join(inside, file.(string))
			folder, ok := mounts[filepath.Dir(rules)]
			if !ok {
				t.Errorf("nothing is mounted at %s", rules)
			}
			exists(t, "rules", filepath.Join(folder, filepath.Base(rules)))
		}
		return
	}
	t.Error("the configuration is not mounted")
}
