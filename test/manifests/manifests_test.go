package manifests

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

const (
	folder = "../../examples/kubernetes"
	alerts = "../../alerts/prometheusrule.yml"
)

// manifests are the objects of some files by kind.
type manifests struct {
	deployments     []apps.Deployment
	statefulSets    []apps.StatefulSet
	services        []core.Service
	configs         []core.ConfigMap
	accounts        []core.ServiceAccount
	serviceMonitors []monitoring.ServiceMonitor
	podMonitors     []monitoring.PodMonitor
	rules           []monitoring.PrometheusRule
	users           []kafkaUser
}

// add decodes one document. Fields that its type does not know are errors, and so is a kind that
// nobody checks.
func (m *manifests) add(text []byte) error {
	var kind struct{ Kind string }
	if err := strict.Unmarshal(text, &kind); err != nil {
		return err
	}
	switch kind.Kind {
	case "Deployment":
		return decode(text, &m.deployments)
	case "StatefulSet":
		return decode(text, &m.statefulSets)
	case "Service":
		return decode(text, &m.services)
	case "ConfigMap":
		return decode(text, &m.configs)
	case "ServiceAccount":
		return decode(text, &m.accounts)
	case "ServiceMonitor":
		return decode(text, &m.serviceMonitors)
	case "PodMonitor":
		return decode(text, &m.podMonitors)
	case "PrometheusRule":
		return decode(text, &m.rules)
	case "KafkaUser":
		return decode(text, &m.users)
	}
	return errors.New("kind " + kind.Kind + " is not checked")
}

func decode[T any](text []byte, into *[]T) error {
	var one T
	if err := strict.UnmarshalStrict(text, &one); err != nil {
		return err
	}
	*into = append(*into, one)
	return nil
}

// read decodes files.
func read(t *testing.T, paths ...string) (m manifests) {
	t.Helper()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
		for {
			document, err := documents.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if err := m.add(document); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	return m
}

func TestEveryManifestDecodesStrictly(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"*.yml", "*/*.yml"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	m := read(t, append(paths, alerts)...)
	have := []int{len(m.deployments), len(m.statefulSets), len(m.services), len(m.configs), len(m.accounts), len(m.serviceMonitors), len(m.podMonitors), len(m.rules), len(m.users)}
	if want := []int{3, 1, 2, 3, 3, 1, 2, 1, 1}; !slices.Equal(have, want) {
		t.Errorf("kinds are there %v times, want %v", have, want)
	}
}

func TestDecodingFindsMistakes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(folder, "service.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{"targetPort", "targetport2"}, {"kind: Service", "kind: Servise"}, {"port: 10059", "port: ten"}} {
		var m manifests
		if err := m.add(bytes.ReplaceAll(text, []byte(change[0]), []byte(change[1]))); err == nil {
			t.Errorf("%s in the place of %s is accepted", change[1], change[0])
		}
	}
}

// TestPodsAreConfinedAndProbed looks at the Deployments.
func TestPodsAreConfinedAndProbed(t *testing.T) {
	for _, path := range []string{"deployment.yml", "sharded.yml", "strimzi/deployment.yml"} {
		t.Run(path, func(t *testing.T) {
			pod := read(t, filepath.Join(folder, path)).deployments[0].Spec.Template.Spec
			c := pod.Containers[0]
			if s := pod.SecurityContext; s == nil || !*s.RunAsNonRoot || *s.RunAsUser != 65532 || s.SeccompProfile == nil {
				t.Errorf("security of the pod: %+v", s)
			}
			if s := c.SecurityContext; s == nil || *s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) {
				t.Errorf("security of the container: %+v", s)
			}
			if *pod.AutomountServiceAccountToken {
				t.Error("the pod has a token for Kubernetes")
			}
			if c.LivenessProbe.HTTPGet.Path != "/-/healthy" || c.ReadinessProbe.HTTPGet.Path != "/-/ready" {
				t.Errorf("probes at %s and %s", c.LivenessProbe.HTTPGet.Path, c.ReadinessProbe.HTTPGet.Path)
			}
			for _, probe := range []*core.Probe{c.LivenessProbe, c.ReadinessProbe} {
				if probe.HTTPGet.Port.String() != c.Ports[0].Name {
					t.Errorf("a probe asks port %s, the container has %s", probe.HTTPGet.Port.String(), c.Ports[0].Name)
				}
			}
			if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
				t.Errorf("resources: %+v", c.Resources)
			}
			if c.Ports[0].ContainerPort != 10059 {
				t.Errorf("port %d is not the program's default", c.Ports[0].ContainerPort)
			}
			volumes := map[string]bool{}
			for _, v := range pod.Volumes {
				volumes[v.Name] = true
			}
			for _, mount := range c.VolumeMounts {
				if !volumes[mount.Name] {
					t.Errorf("no volume %s", mount.Name)
				}
				delete(volumes, mount.Name)
			}
			for name := range volumes {
				t.Errorf("volume %s is not mounted", name)
			}
		})
	}
}

// TestMonitorsReachThePods follows labels and port names from the monitors to the container.
func TestMonitorsReachThePods(t *testing.T) {
	for _, deployment := range []string{"deployment.yml", "sharded.yml", "strimzi/deployment.yml"} {
		m := read(t, filepath.Join(folder, deployment), filepath.Join(folder, "service.yml"),
			filepath.Join(folder, "servicemonitor.yml"), filepath.Join(folder, "podmonitor.yml"))
		pod, service := m.deployments[0].Spec.Template, m.services[0]
		port := pod.Spec.Containers[0].Ports[0].Name
		for what, selection := range map[string][2]map[string]string{
			"Deployment":     {m.deployments[0].Spec.Selector.MatchLabels, pod.Labels},
			"Service":        {service.Spec.Selector, pod.Labels},
			"ServiceMonitor": {m.serviceMonitors[0].Spec.Selector.MatchLabels, service.Labels},
			"PodMonitor":     {m.podMonitors[0].Spec.Selector.MatchLabels, pod.Labels},
		} {
			if !selects(selection[0], selection[1]) {
				t.Errorf("%s: %s selects %v, there are %v", deployment, what, selection[0], selection[1])
			}
		}
		ends := m.serviceMonitors[0].Spec.Endpoints[0]
		pods := m.podMonitors[0].Spec.PodMetricsEndpoints[0]
		if service.Spec.Ports[0].TargetPort.String() != port || ends.Port != service.Spec.Ports[0].Name || *pods.Port != port {
			t.Errorf("%s: container port %s, Service %s to %s, monitors %s and %s", deployment, port,
				service.Spec.Ports[0].Name, service.Spec.Ports[0].TargetPort.String(), ends.Port, *pods.Port)
		}
		for _, r := range [][]monitoring.RelabelConfig{ends.RelabelConfigs, pods.RelabelConfigs} {
			if len(r) != 1 || r[0].TargetLabel != "kafka_cluster" || *r[0].Replacement == "" {
				t.Errorf("relabelings %+v give no kafka_cluster", r)
			}
		}
	}
}

// selects tells whether a selector asks for something and labels have all of it.
func selects(selector, labels map[string]string) bool {
	for name, value := range selector {
		if labels[name] != value {
			return false
		}
	}
	return len(selector) > 0
}

// TestStrimziUserDescribesAndNoMore: what README.md asks for, which test/security tries on a real
// broker, and nothing that reads or writes.
func TestStrimziUserDescribesAndNoMore(t *testing.T) {
	m := read(t, filepath.Join(folder, "strimzi/kafkauser.yml"), filepath.Join(folder, "strimzi/deployment.yml"))
	user, got := m.users[0], map[string][]string{}
	for _, acl := range user.Spec.Authorization.ACLs {
		if acl.Resource.Type != "cluster" && (acl.Resource.Name != "*" || acl.Resource.PatternType != "literal") {
			t.Errorf("right on %+v only", acl.Resource)
		}
		got[acl.Resource.Type] = acl.Operations
	}
	want := map[string][]string{"topic": {"Describe", "DescribeConfigs"}, "group": {"Describe"}, "cluster": {"Describe", "DescribeConfigs"}}
	for resource, operations := range want {
		if !slices.Equal(got[resource], operations) {
			t.Errorf("on %s: %v, want %v", resource, got[resource], operations)
		}
	}
	if len(got) != len(want) {
		t.Errorf("rights: %v", got)
	}
	config := m.configs[0].Data["config.yml"]
	if !strings.Contains(config, "username: "+user.Name+"\n") || !strings.Contains(config, "mechanism: "+strings.ToUpper(user.Spec.Authentication.Type)) {
		t.Errorf("user %s with %s, configuration:\n%s", user.Name, user.Spec.Authentication.Type, config)
	}
	var secrets []string
	for _, v := range m.deployments[0].Spec.Template.Spec.Volumes {
		if v.Secret != nil {
			secrets = append(secrets, v.Secret.SecretName)
		}
	}
	if want := []string{user.Labels["strimzi.io/cluster"] + "-cluster-ca-cert", user.Name}; !slices.Equal(secrets, want) {
		t.Errorf("secrets %v are mounted, want %v", secrets, want)
	}
}
