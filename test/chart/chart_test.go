package chart

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func TestHelmFindsNothingWrong(t *testing.T) {
	for name, v := range map[string]map[string]any{"defaults": nil, "everything": values(t, everything)} {
		result := lint.All(folder, v, "monitoring", true)
		if len(result.Messages) == 0 {
			t.Errorf("%s: not even the missing icon is mentioned", name)
		}
		for _, m := range result.Messages {
			if m.Severity > support.InfoSev {
				t.Errorf("%s: %s: %v", name, m.Path, m.Err)
			}
		}
	}
}

func TestDefaultsNeedNoOperator(t *testing.T) {
	o := rendered(t, nil)
	have := []int{len(o.accounts), len(o.configs), len(o.claims), len(o.deployments), len(o.services), len(o.monitors), len(o.rules)}
	if want := []int{1, 1, 0, 1, 1, 0, 0}; !slices.Equal(have, want) {
		t.Errorf("kinds are there %v times, want %v", have, want)
	}
}

// TestEachClusterIsServedApart follows labels and ports of each cluster from its monitor to its pod.
func TestEachClusterIsServedApart(t *testing.T) {
	o := rendered(t, values(t, everything))
	if len(o.deployments) != 2 || len(o.services) != 2 || len(o.monitors) != 2 || len(o.configs) != 2 || len(o.claims) != 1 || len(o.rules) != 1 {
		t.Fatalf("%d Deployments, %d Services, %d ServiceMonitors, %d ConfigMaps, %d claims, %d PrometheusRules",
			len(o.deployments), len(o.services), len(o.monitors), len(o.configs), len(o.claims), len(o.rules))
	}
	for i, name := range []string{"main", "second"} {
		pod, service, ends := o.deployments[i].Spec.Template, o.services[i], o.monitors[i].Spec.Endpoints[0]
		for j := range o.deployments {
			own := i == j
			for what, selected := range map[string]bool{
				"Deployment":     selects(o.deployments[j].Spec.Selector.MatchLabels, pod.Labels),
				"Service":        selects(o.services[j].Spec.Selector, pod.Labels),
				"ServiceMonitor": selects(o.monitors[j].Spec.Selector.MatchLabels, service.Labels),
			} {
				if selected != own {
					t.Errorf("%s %d selects what belongs to %s: %v", what, j, name, selected)
				}
			}
		}
		if service.Spec.Ports[0].TargetPort.String() != pod.Spec.Containers[0].Ports[0].Name || ends.Port != service.Spec.Ports[0].Name || ends.Path != "/own" {
			t.Errorf("%s: Service %+v, endpoint %+v", name, service.Spec.Ports, ends)
		}
		if r := ends.RelabelConfigs[0]; r.TargetLabel != "kafka_cluster" || *r.Replacement != name {
			t.Errorf("%s: relabeling %+v", name, r)
		}
		if got := pod.Spec.Volumes[0].ConfigMap.Name; got != o.configs[i].Name {
			t.Errorf("%s mounts %s", name, got)
		}
	}
}

func selects(selector, labels map[string]string) bool {
	for name, value := range selector {
		if labels[name] != value {
			return false
		}
	}
	return len(selector) > 0
}

// TestClusterWinsOverDefaults also where what it says is nothing, or false.
func TestClusterWinsOverDefaults(t *testing.T) {
	o := rendered(t, values(t, everything))
	text, _ := o.config(t, "second")
	for _, line := range []string{"granularity: topic", "max-pairs: 1000000", "internal: true", `exclude: ""`, "include: ^orders", "interval: 30s"} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
	if r := o.deployments[1].Spec.Template.Spec.Containers[0].Resources; r.Limits.Memory().String() != "1Gi" || r.Requests.Memory().String() != "64Mi" {
		t.Errorf("resources %+v", r)
	}
	if first, _ := o.config(t, "main"); strings.Contains(first, "granularity: topic") {
		t.Errorf("one cluster has the other's settings:\n%s", first)
	}
}

func TestPodsAreConfined(t *testing.T) {
	for _, d := range rendered(t, values(t, everything)).deployments {
		pod := d.Spec.Template.Spec
		c := pod.Containers[0]
		if s := pod.SecurityContext; !*s.RunAsNonRoot || *s.RunAsUser != 65532 || *s.FSGroup != 65532 || s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
			t.Errorf("security of the pod: %+v", s)
		}
		if s := c.SecurityContext; *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) {
			t.Errorf("security of the container: %+v", s)
		}
		if *pod.AutomountServiceAccountToken || len(c.Env) > 0 {
			t.Error("a token for Kubernetes, or a secret in the environment")
		}
		volumes := map[string]bool{}
		for _, v := range pod.Volumes {
			volumes[v.Name] = true
		}
		for _, mount := range c.VolumeMounts {
			if !volumes[mount.Name] {
				t.Errorf("no volume %s", mount.Name)
			}
			if strings.HasPrefix(mount.Name, "secret-") && !mount.ReadOnly {
				t.Errorf("%s may be written", mount.Name)
			}
		}
		if claim := pod.Volumes[1].PersistentVolumeClaim; claim != nil && string(d.Spec.Strategy.Type) != "Recreate" {
			t.Error("two pods for one claim while one replaces the other")
		}
	}
}

// TestRulesAreTheShippedOnes: the chart's copy is what the command rules writes, and it comes out as it went in.
func TestRulesAreTheShippedOnes(t *testing.T) {
	shipped := read(t, "../../alerts/prometheusrule.yml")
	if read(t, filepath.Join(folder, "files/prometheusrule.yml")) != shipped {
		t.Error("files/prometheusrule.yml is not alerts/prometheusrule.yml: go test ./alerts -update")
	}
	var want monitoring.PrometheusRule
	if err := yaml.UnmarshalStrict([]byte(shipped), &want); err != nil {
		t.Fatal(err)
	}
	got := rendered(t, values(t, everything)).rules[0]
	a, err := yaml.Marshal(got.Spec)
	if err != nil {
		t.Fatal(err)
	}
	b, err := yaml.Marshal(want.Spec)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) || len(want.Spec.Groups) == 0 {
		t.Error("the rendered rules are not the shipped ones")
	}
}

func TestMistakesAreRefused(t *testing.T) {
	for _, c := range []struct{ name, values, want string }{
		{"misspelt value", "serviceMonitors: {enabled: true}", "serviceMonitors"},
		{"misspelt value of a cluster", "clusters: [{name: a, replica: 2, config: {kafka: {brokers: [b]}}}]", "replica"},
		{"no cluster", "clusters: []", "clusters"},
		{"cluster without a name", "clusters: [{config: {kafka: {brokers: [b]}}}]", "name"},
		{"name that no object can have", "clusters: [{name: A_B, config: {kafka: {brokers: [b]}}}]", "pattern"},
		{"cluster without brokers", "clusters: [{name: a}]", "cluster a has no config.kafka.brokers"},
		{"two of one name", "clusters: [{name: a, config: {kafka: {brokers: [b]}}}, {name: a, config: {kafka: {brokers: [c]}}}]", "two clusters are named a"},
		{"one claim for several", "defaults: {replicas: 2, state: {claim: {enabled: true}}}", "one claim for the state of 2 replicas"},
		{"address beside the port", "defaults: {config: {web: {listen-address: ':1'}}}", "web"},
	} {
		var v map[string]any
		if err := yaml.Unmarshal([]byte(c.values), &v); err != nil {
			t.Fatal(err)
		}
		if _, err := render(load(t), v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.want)
		}
	}
}

// TestVersionsAgree: chart, image and the newest release in the changelog.
func TestVersionsAgree(t *testing.T) {
	newest := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+)`).FindStringSubmatch(read(t, "../../CHANGELOG.md"))
	if newest == nil {
		t.Fatal("no release in CHANGELOG.md")
	}
	chart := load(t)
	if chart.Metadata.AppVersion != newest[1] {
		t.Errorf("the chart installs %s, the newest release is %s", chart.Metadata.AppVersion, newest[1])
	}
	if image := rendered(t, nil).deployments[0].Spec.Template.Spec.Containers[0].Image; !strings.HasSuffix(image, ":"+newest[1]) {
		t.Errorf("image %s", image)
	}
	if image := "kafka-retention-exporter:" + newest[1]; !strings.Contains(read(t, "../../examples/kubernetes/deployment.yml"), image) {
		t.Errorf("deployment.yml has another image than %s", image)
	}
}
