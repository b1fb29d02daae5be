package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rulesOf runs the command with no environment.
func rulesOf(t *testing.T, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	var out, log strings.Builder
	none := func(string) (string, bool) { return "", false }
	exit = run(t.Context(), append([]string{rulesCommand}, args...), none, &out, &log)
	return out.String(), log.String(), exit
}

func TestRulesNeedNoClusterAndAreTheCommittedOnes(t *testing.T) {
	for format, file := range map[string]string{"prometheus": "alerts/rules.yml", "kubernetes": "alerts/prometheusrule.yml"} {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if out, log, exit := rulesOf(t, "--format="+format); exit != 0 || log != "" || out != string(want) {
			t.Errorf("%s: exit code %d, %q, and not %s", format, exit, log, file)
		}
	}
}

func TestRulesTakeThresholdsFromFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "overrides.yml")
	if err := os.WriteFile(file, []byte("overrides: [{group: audit, used: 0.9, owner: security}]"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, log, exit := rulesOf(t, "--warn=10h", "--page=1h", "--used=0.7", "--scale=0.5", "--runbooks=https://wiki.example", "--overrides="+file)
	if exit != 0 {
		t.Fatal(log)
	}
	for _, want := range []string{"< 18000\n", "< 1800\n", "> 0.7\n", `{consumergroup=~"audit"} > 0.9`, "owner: security", "https://wiki.example/KafkaRetentionHalfUsed.md"} {
		if !strings.Contains(out, want) {
			t.Errorf("the rules lack %q", want)
		}
	}
}

func TestWrongThresholdsEndWithOneLine(t *testing.T) {
	for flag, want := range map[string]string{
		"--used=50":           "kafka-retention-exporter: used: 50 is not above 0 and at most 1\n",
		"--page=48h":          "kafka-retention-exporter: warn: 24h0m0s is less than page, 48h0m0s\n",
		"--overrides=nowhere": "kafka-retention-exporter: read overrides: open nowhere: no such file or directory\n",
	} {
		if out, log, exit := rulesOf(t, flag); exit != 1 || log != want || out != "" {
			t.Errorf("%s: exit code %d, %q, and %d bytes of rules", flag, exit, log, len(out))
		}
	}
}
