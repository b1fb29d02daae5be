package examples

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPolicyForMSK reads the policy as IAM does and holds it to the rights in README: to describe
// the cluster, topics and groups, and nothing that reads or changes.
func TestPolicyForMSK(t *testing.T) {
	text, err := os.ReadFile("msk/policy.json")
	if err != nil {
		t.Fatal(err)
	}
	var policy struct {
		Version   string
		Statement []struct {
			Sid, Effect, Resource string
			Action                oneOrMore
		}
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&policy); err != nil {
		t.Fatal(err)
	}
	if policy.Version != "2012-10-17" {
		t.Errorf("version %s", policy.Version)
	}
	got := map[string]string{}
	for _, s := range policy.Statement {
		kind, _, _ := strings.Cut(strings.TrimPrefix(s.Resource, "arn:aws:kafka:REGION:ACCOUNT:"), "/")
		if s.Effect != "Allow" || !strings.HasSuffix(s.Resource, kind+"/CLUSTER/*") {
			t.Errorf("statement %+v", s)
		}
		for _, action := range s.Action {
			got[action] = kind
		}
	}
	want := map[string]string{
		"kafka-cluster:Connect": "cluster", "kafka-cluster:DescribeCluster": "cluster", "kafka-cluster:DescribeClusterDynamicConfiguration": "cluster",
		"kafka-cluster:DescribeTopic": "topic", "kafka-cluster:DescribeTopicDynamicConfiguration": "topic",
		"kafka-cluster:DescribeGroup": "group",
	}
	if !maps.Equal(got, want) {
		t.Errorf("the policy allows %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// oneOrMore is a list that IAM lets one write as a single word.
type oneOrMore []string

// UnmarshalJSON reads either.
func (o *oneOrMore) UnmarshalJSON(text []byte) error {
	var one string
	if err := json.Unmarshal(text, &one); err == nil {
		*o = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(o))
}
