package examples

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"maps"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// object is what the tests here look at of a Kubernetes object; test/manifests decodes all of it.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct {
		Template struct {
			Spec struct {
				Containers     []container
				InitContainers []container `yaml:"initContainers"`
				Volumes        []struct {
					Name      string
					ConfigMap struct{ Name string } `yaml:"configMap"`
					Secret    struct {
						Items []struct{ Key, Path string }
					}
				}
			}
		}
	}
}

type container struct {
	Args         []string
	VolumeMounts []struct {
		Name      string
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

// TestProgramAcceptsTheArguments gives the program what containers give it, with every mounted
// path in a temporary folder, and lets it check flags and configuration.
func TestProgramAcceptsTheArguments(t *testing.T) {
	program := filepath.Join(t.TempDir(), "kafka-retention-exporter")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "kafka-retention-exporter").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	accept := func(t *testing.T, args []string) {
		out, err := exec.CommandContext(t.Context(), program, append(args, "--config.check")...).CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	for _, path := range []string{"kubernetes/deployment.yml", "kubernetes/sharded.yml", "kubernetes/strimzi/deployment.yml"} {
		t.Run(path, func(t *testing.T) { accept(t, mounted(t, decoded[object](t, path, false))) })
	}
	t.Run("kubernetes/sidecar.yml", func(t *testing.T) { accept(t, sidecar(t, decoded[object](t, "kubernetes/sidecar.yml", false))) })
	t.Run("systemd", func(t *testing.T) { accept(t, command(t)[1:]) })
	t.Run("compose", func(t *testing.T) {
		accept(t, documents[composition](t, "compose/compose.yml")[0].Services["kafka-retention-exporter"].Command)
	})
}

// mounted lays out what the Deployment of a file mounts and gives its arguments with the paths of
// this computer.
func mounted(t *testing.T, objects []object) []string {
	t.Helper()
	configs := map[string]map[string]string{}
	for _, o := range objects {
		if o.Kind == "ConfigMap" {
			configs[o.Metadata.Name] = o.Data
		}
	}
	for _, o := range objects {
		if o.Kind != "Deployment" {
			continue
		}
		pod := o.Spec.Template.Spec
		container := pod.Containers[0]
		contents := map[string]map[string]string{}
		for _, v := range pod.Volumes {
			contents[v.Name] = map[string]string{}
			for _, item := range v.Secret.Items {
				contents[v.Name][item.Path] = secret(t, item.Key)
			}
			maps.Copy(contents[v.Name], configs[v.ConfigMap.Name])
		}
		var moves []string
		for _, m := range container.VolumeMounts {
			moves = append(moves, m.MountPath, t.TempDir())
		}
		moved := strings.NewReplacer(moves...)
		for _, m := range container.VolumeMounts {
			if len(contents[m.Name]) == 0 {
				t.Errorf("volume %s is empty", m.Name)
			}
			for name, text := range contents[m.Name] {
				if err := os.WriteFile(filepath.Join(moved.Replace(m.MountPath), name), []byte(moved.Replace(text)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		var args []string
		for _, arg := range container.Args {
			args = append(args, moved.Replace(arg))
		}
		return args
	}
	t.Fatal("no Deployment")
	return nil
}

// sidecar gives the arguments beside a broker, with empty folders where volumes are mounted.
func sidecar(t *testing.T, objects []object) (args []string) {
	t.Helper()
	for _, o := range objects {
		for _, c := range o.Spec.Template.Spec.InitContainers {
			var moves []string
			for _, m := range c.VolumeMounts {
				moves = append(moves, m.MountPath, t.TempDir())
			}
			for _, arg := range c.Args {
				args = append(args, strings.NewReplacer(moves...).Replace(arg))
			}
		}
	}
	if len(args) == 0 {
		t.Fatal("no sidecar")
	}
	return args
}

// secret is something of the kind that the cluster would keep under a key.
func secret(t *testing.T, key string) string {
	t.Helper()
	if key != "ca.crt" {
		return "secret"
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	authority := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	certificate, err := x509.CreateCertificate(rand.Reader, authority, authority, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
}
