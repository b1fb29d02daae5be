package advice_test

import (
	"fmt"
	"testing"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// BenchmarkFindings looks at 2,000 topics of 5 partitions with 500 groups that read 20 each.
func BenchmarkFindings(b *testing.B) {
	c := calm()
	s, report := c.snapshot(), c.report()
	one := s.Topics["t"]
	s.Topics, s.Groups = map[string]model.Topic{}, map[string]model.Group{}
	s.Partitions, report.Partitions = map[model.PartitionKey]model.Partition{}, map[model.PartitionKey]predictor.Outlook{}
	for i := range 2000 {
		name := fmt.Sprint("topic-", i)
		s.Topics[name] = model.Topic{Name: name, Partitions: 5, Settings: one.Settings}
		for p := range int32(5) {
			part := c.part
			part.Key = model.PartitionKey{Topic: name, Partition: p}
			s.Partitions[part.Key], report.Partitions[part.Key] = part, c.outlook
		}
	}
	for i := range 500 {
		g := model.Group{Name: fmt.Sprint("group-", i), Offsets: map[model.PartitionKey]model.Read[model.Commit]{}}
		for j := range 20 {
			for p := range int32(5) {
				g.Offsets[model.PartitionKey{Topic: fmt.Sprint("topic-", (i*20+j)%2000), Partition: p}] = model.ReadAt(model.Commit{}, noon)
			}
		}
		s.Groups[g.Name] = g
	}
	b.ReportAllocs()
	for b.Loop() {
		if f := advice.Findings(s, report, nil, noon); len(f) != 0 {
			b.Fatalf("%d findings in calm topics", len(f))
		}
	}
}
