package manifests

import (
	"path/filepath"
	"slices"
	"testing"

	core "k8s.io/api/core/v1"
	strict "sigs.k8s.io/yaml"
)

// TestSidecarKeepsOutOfTheBrokersWay: nothing of it makes the broker's pod wait or unready while it
// runs, it takes no more than its limits, and it cannot write where the broker does.
func TestSidecarKeepsOutOfTheBrokersWay(t *testing.T) {
	m := read(t, filepath.Join(folder, "sidecar.yml"))
	set := m.statefulSets[0]
	pod := set.Spec.Template.Spec
	c, broker := pod.InitContainers[0], pod.Containers[0]
	if c.RestartPolicy == nil || *c.RestartPolicy != core.ContainerRestartPolicyAlways {
		t.Error("an init container that ends, and the broker waits for that")
	}
	if c.ReadinessProbe != nil || c.StartupProbe != nil || c.LivenessProbe == nil || c.LivenessProbe.HTTPGet.Path != "/-/healthy" {
		t.Errorf("probes: ready %v, started %v, alive %v", c.ReadinessProbe, c.StartupProbe, c.LivenessProbe)
	}
	if c.LivenessProbe.HTTPGet.Port.String() != c.Ports[0].Name || c.Ports[0].ContainerPort != 10059 {
		t.Errorf("liveness at %v, ports %+v", c.LivenessProbe.HTTPGet.Port, c.Ports)
	}
	if c.Resources.Limits.Memory().IsZero() || c.Resources.Limits.Cpu().IsZero() {
		t.Errorf("limits: %+v", c.Resources.Limits)
	}
	if !m.services[0].Spec.PublishNotReadyAddresses {
		t.Error("a broker whose sidecar restarts loses its address")
	}
	group := *broker.SecurityContext.RunAsGroup
	if s := c.SecurityContext; *s.RunAsUser == 0 || *s.RunAsUser == *broker.SecurityContext.RunAsUser || *s.RunAsGroup != group ||
		*s.AllowPrivilegeEscalation || !*s.ReadOnlyRootFilesystem || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) {
		t.Errorf("security: %+v", s)
	}
	if s := pod.SecurityContext; !*s.RunAsNonRoot || *s.FSGroup != group {
		t.Errorf("security of the pod: %+v, the broker's group is %d", s, group)
	}
	data := set.Spec.VolumeClaimTemplates[0].Name
	mounts := map[string]core.VolumeMount{}
	for _, mount := range c.VolumeMounts {
		mounts[mount.Name] = mount
	}
	if !mounts[data].ReadOnly || !slices.Contains(c.Args, "--log.dirs="+mounts[data].MountPath) || mounts[data].MountPath != broker.VolumeMounts[0].MountPath {
		t.Errorf("mount %+v, arguments %v", mounts[data], c.Args)
	}
}

// TestSidecarsAreScraped follows labels and the port's name from the monitor to the sidecar.
func TestSidecarsAreScraped(t *testing.T) {
	m := read(t, filepath.Join(folder, "sidecar.yml"))
	template, monitor := m.statefulSets[0].Spec.Template, m.podMonitors[0].Spec
	for what, selector := range map[string]map[string]string{
		"StatefulSet": m.statefulSets[0].Spec.Selector.MatchLabels, "Service": m.services[0].Spec.Selector, "PodMonitor": monitor.Selector.MatchLabels,
	} {
		if !selects(selector, template.Labels) {
			t.Errorf("%s selects %v, there are %v", what, selector, template.Labels)
		}
	}
	ends := monitor.PodMetricsEndpoints[0]
	if *ends.Port != template.Spec.InitContainers[0].Ports[0].Name || ends.RelabelConfigs[0].TargetLabel != "kafka_cluster" {
		t.Errorf("endpoint %+v", ends)
	}
}

// TestShardsAreMembersOfOneGroup: without the group three would be two too many.
func TestShardsAreMembersOfOneGroup(t *testing.T) {
	m := read(t, filepath.Join(folder, "sharded.yml"))
	var config struct {
		Cluster struct{ Group string } `json:"cluster"`
	}
	if err := strict.Unmarshal([]byte(m.configs[0].Data["config.yml"]), &config); err != nil {
		t.Fatal(err)
	}
	if *m.deployments[0].Spec.Replicas < 2 || config.Cluster.Group == "" {
		t.Errorf("%d replicas in group %q", *m.deployments[0].Spec.Replicas, config.Cluster.Group)
	}
}
