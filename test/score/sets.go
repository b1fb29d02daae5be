package score

import (
	"slices"
	"strconv"
	"time"
)

// Set is what is scored as one: alerts of some names, with some labels.
type Set struct {
	Name   string // in Markdown
	Terms  Terms
	Alerts []string
	Labels map[string]string
}

// Has tells whether an alert with these labels is of the set.
func (s Set) Has(labels map[string]string) bool {
	for name, value := range s.Labels {
		if labels[name] != value {
			return false
		}
	}
	return slices.Contains(s.Alerts, labels["alertname"])
}

const notice = 30 * time.Minute

// paging are the terms of what wakes people: a loss within four hours, the default of --page.
func paging() Terms { return Terms{Horizon: 4 * time.Hour, Notice: notice} }

// warning are the terms of what is for the day: a loss within half the retention, of a day here.
func warning() Terms { return Terms{Horizon: 12 * time.Hour, Notice: notice} }

// shipped are the sets of the rules in alerts/. The first is what they are judged by: what pages
// before a loss.
func shipped() []Set {
	critical, warn := map[string]string{"severity": "critical"}, map[string]string{"severity": "warning"}
	return []Set{
		{"**shipped pages**: `KafkaRetentionLossPredicted` (critical), `KafkaRetentionLossCertain`", paging(), []string{"KafkaRetentionLossPredicted", "KafkaRetentionLossCertain"}, critical},
		{"of these `KafkaRetentionLossCertain` alone", paging(), []string{"KafkaRetentionLossCertain"}, critical},
		{"shipped warning `KafkaRetentionLossPredicted`", warning(), []string{"KafkaRetentionLossPredicted"}, warn},
		{"shipped warning `KafkaRetentionHalfUsed`", warning(), []string{"KafkaRetentionHalfUsed"}, warn},
		{"shipped warning `KafkaRetentionGroupStopped` (groups that stand still)", warning(), []string{"KafkaRetentionGroupStopped"}, warn},
	}
}

// sets are one for each candidate. They page.
func (f Family) sets() []Set {
	var all []Set
	for i, c := range f.Candidates {
		all = append(all, Set{c.Name, paging(), []string{f.Name}, map[string]string{Label: strconv.Itoa(i)}})
	}
	return all
}
