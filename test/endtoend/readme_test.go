package endtoend

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kafka-retention-exporter/exporter"
)

const root = "../.."

// TestReadmeCommands does what README says to do, and holds every command in it to what is there.
func TestReadmeCommands(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "kafka-retention-exporter")
	built := false
	for _, command := range Commands(Readme(t)) {
		program, arguments, _ := strings.Cut(command, " ")
		switch {
		case strings.HasPrefix(command, "go build -o kafka-retention-exporter "):
			run(t, strings.Replace(command, "-o kafka-retention-exporter", "-o "+binary, 1))
			built = true
		case strings.HasPrefix(command, "go run ./"):
			if _, err := os.Stat(filepath.Join(root, arguments[len("run "):], "main.go")); err != nil {
				t.Errorf("%s: %v", command, err)
			}
		case strings.HasPrefix(program, "test/"):
			if info, err := os.Stat(filepath.Join(root, program)); err != nil || info.Mode()&0o111 == 0 {
				t.Errorf("%s: no program (%v)", command, err)
			}
		case program == "./kafka-retention-exporter" && built:
			run(t, strings.Replace(command, "./kafka-retention-exporter", binary, 1)+" --config.check </dev/null")
		case strings.HasPrefix(command, "kafka-retention-exporter rules ") && built:
			makeRules(t, strings.Replace(command, program, binary, 1))
		case program == "kafka-retention-exporter" && built: // one of its commands, which are tested where they are
			run(t, strings.Replace(command, program, binary, 1)+" --help")
		case program == "kafka-acls.sh", strings.HasPrefix(program, "KAFKA_SASL_PASSWORD="): // run in TestSecuredBroker
		case program == "curl", command == "go test ./...":
		default:
			t.Errorf("README shows a command that no test knows: %s", command)
		}
	}
	if !built {
		t.Error("README does not say how to build the program")
	}
}

// makeRules runs a command that writes rules, where the overrides are that README shows.
func makeRules(t *testing.T, command string) {
	t.Helper()
	_, example, shown := strings.Cut(Readme(t), "```yaml\noverrides:")
	if !shown {
		t.Fatal("README shows no overrides")
	}
	example, _, _ = strings.Cut(example, "```")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "overrides.yml"), []byte("overrides:"+example), 0o644); err != nil {
		t.Fatal(err)
	}
	_, file, _ := strings.Cut(command, " >")
	runIn(t, dir, command)
	if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !strings.Contains(string(text), "alert: KafkaRetentionLossPredicted") {
		t.Errorf("%s: no rules in %s (%v)", command, file, err)
	}
}

// run runs a command in the folder that README's commands are for.
func run(t *testing.T, command string) (output string) {
	t.Helper()
	return runIn(t, root, command)
}

func runIn(t *testing.T, dir, command string) (output string) {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "sh", "-c", command)
	shell.Dir = dir
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

func TestReadmeNamesExist(t *testing.T) {
	text := Readme(t)
	var metrics []string
	for _, f := range exporter.Families() {
		metrics = append(metrics, f.Name)
	}
	for _, name := range regexp.MustCompile(`kafka_retention_[a-z_]+[a-z]`).FindAllString(text, -1) {
		if !slices.Contains(metrics, name) {
			t.Errorf("README names %s, which is not served", name)
		}
	}
	flag := regexp.MustCompile(`--[a-z][a-z.-]*[a-z]`)
	help := strings.ReplaceAll(run(t, Build(t)+" --help-long"), "--[no-]", "--")
	known := flag.FindAllString(help, -1)
	for line := range strings.Lines(text) {
		if regexp.MustCompile(`kafka-[a-z-]+\.sh`).MatchString(line) {
			continue // flags of another program
		}
		for _, name := range flag.FindAllString(line, -1) {
			if !slices.Contains(known, name) {
				t.Errorf("README names %s, which --help does not know", name)
			}
		}
	}
	if len(known) < 20 || len(metrics) < 20 {
		t.Errorf("%d flags and %d metrics are known: the test looks in the wrong place", len(known), len(metrics))
	}
}
