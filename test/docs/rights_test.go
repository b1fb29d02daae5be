package docs_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestRightsAreTheSameEverywhere: the table of rights, the commands and the table in README, the
// Strimzi user and the policy for MSK name the same rights, and the requests that need one are those
// of the collector's own table. What is missing without each is tried by package endtoend.
func TestRightsAreTheSameEverywhere(t *testing.T) {
	table := rightsTable(t)
	readme := textOf(t, "../../README.md")
	given := map[string]bool{}
	for _, command := range regexp.MustCompile(`(?m)^\$ (kafka-acls\.sh .*)$`).FindAllStringSubmatch(readme, -1) {
		for _, right := range rightsOfCommand(command[1]) {
			given[right] = true
		}
	}
	asked := map[string]bool{}
	for name := range table {
		if !strings.HasPrefix(name, "Read on ") { // needed by those alone who set the flag
			asked[name] = true
		}
		if !strings.Contains(strings.ReplaceAll(readme, "`", ""), "\n| "+name) {
			t.Errorf("the table in README has no row for %s", name)
		}
	}
	same(t, "the commands in README", given, asked)
	same(t, "the Strimzi user", strimziRights(t), asked)

	actions := map[string]bool{}
	for name, row := range table {
		if asked[name] {
			actions["kafka-cluster:"+strings.Trim(row.msk, "`")] = true
		}
	}
	same(t, "the policy for MSK", mskActions(t), actions)
	for name := range asked {
		same(t, "the requests that need "+name, setOf(strings.Split(table[name].requests, ", ")), requestsThatNeed(t, name))
	}
}

type rightsRow struct{ requests, msk string }

// rightsTable reads the first table of docs/rights.md.
func rightsTable(t *testing.T) map[string]rightsRow {
	t.Helper()
	rows := map[string]rightsRow{}
	first, _, _ := strings.Cut(textOf(t, "../../docs/rights.md"), "\n## ")
	for line := range strings.Lines(first) {
		cells := strings.Split(line, " | ")
		if name, ok := strings.CutPrefix(cells[0], "| "); ok && len(cells) > 2 && name != "right" {
			rows[strings.ReplaceAll(name, "`", "")] = rightsRow{cells[1], cells[2]}
		}
	}
	return rows
}

// rightsOfCommand are those that a kafka-acls.sh command gives, in the table's words.
func rightsOfCommand(command string) (rights []string) {
	for _, resource := range []string{"topic", "group"} {
		if strings.Contains(command, "--"+resource+" '*'") {
			rights = append(rights, "a "+resource)
		}
	}
	if strings.HasSuffix(command, "--cluster") {
		rights = append(rights, "the cluster")
	}
	var all []string
	for _, do := range regexp.MustCompile(`--operation (\w+)`).FindAllStringSubmatch(command, -1) {
		for _, on := range rights {
			all = append(all, do[1]+" on "+on)
		}
	}
	return all
}

func strimziRights(t *testing.T) map[string]bool {
	t.Helper()
	var user struct {
		Spec struct {
			Authorization struct {
				ACLs []struct {
					Resource   struct{ Type string }
					Operations []string
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(textOf(t, "../../examples/kubernetes/strimzi/kafkauser.yml")), &user); err != nil {
		t.Fatal(err)
	}
	rights := map[string]bool{}
	for _, acl := range user.Spec.Authorization.ACLs {
		for _, do := range acl.Operations {
			on := "a " + acl.Resource.Type
			if acl.Resource.Type == "cluster" {
				on = "the cluster"
			}
			rights[do+" on "+on] = true
		}
	}
	return rights
}

// mskActions are those of the policy, but to connect.
func mskActions(t *testing.T) map[string]bool {
	t.Helper()
	var policy struct{ Statement []struct{ Action any } }
	if err := json.Unmarshal([]byte(textOf(t, "../../examples/msk/policy.json")), &policy); err != nil {
		t.Fatal(err)
	}
	actions := map[string]bool{}
	for _, statement := range policy.Statement {
		list, several := statement.Action.([]any)
		if !several {
			list = []any{statement.Action}
		}
		for _, action := range list {
			actions[action.(string)] = true
		}
	}
	delete(actions, "kafka-cluster:Connect")
	return actions
}

// requestsThatNeed reads the table of requests in the collector's documentation.
func requestsThatNeed(t *testing.T, right string) map[string]bool {
	t.Helper()
	do, on, _ := strings.Cut(right, " on ")
	do = map[string]string{"Describe": "DESCRIBE", "DescribeConfigs": "DESCRIBE_CONFIGS"}[do]
	_, on, _ = strings.Cut(on, " ")
	requests := map[string]bool{}
	for line := range strings.Lines(textOf(t, "../../collector/doc.go")) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "//\t")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(line, " ")
		if i := strings.LastIndex(line, " "+do+" "); i >= 0 && strings.Contains(line[i:], on) {
			requests[name] = true
		}
		// One request needs either of two rights.
		if i := strings.Index(line, " "+do+" cluster, else "); i >= 0 && on == "cluster" {
			requests[name] = true
		}
	}
	return requests
}

func same(t *testing.T, what string, got, want map[string]bool) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, one := range list {
		set[one] = true
	}
	return set
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
