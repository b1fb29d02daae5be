package page

import (
	"fmt"

	"kafka-retention-exporter/model"
)

func settings(age model.Millis, size model.Bytes, segment model.Millis) model.Settings {
	s := model.DefaultSettings()
	s.RetentionMs, s.RetentionBytes, s.SegmentMs = age, size, segment
	s.RetentionMsSource = model.SourceTopic
	return s
}

// three are three pairs: one that is too slow, one that stands still, one that keeps up.
func three() *cluster {
	return &cluster{
		topics: map[string]topic{
			"orders":   {partitions: 1, perSecond: 40, recordSize: 900, settings: settings(day, -1, hour)},
			"payments": {partitions: 1, perSecond: 12, recordSize: 1400, settings: settings(3*day, 3<<30, 2*hour)},
		},
		groups: map[string][]reader{
			"search-index": {{topic: "orders", behind: 22*hour + 20*60_000, pace: 0.45, state: "Stable"}},
			"fraud-report": {{topic: "payments", behind: 31 * hour, state: "Stable"}},
			"billing":      {{topic: "payments", behind: 2000, pace: 1, state: "Stable"}},
		},
	}
}

// many are 10,000 pairs, of which few are in trouble.
func many() *cluster {
	c := &cluster{topics: map[string]topic{}, groups: map[string][]reader{}}
	topics := []string{"orders", "payments", "shipments", "stock-levels", "price-changes", "page-views", "sessions", "mail-events", "audit-log", "telemetry"}
	teams := []string{"billing", "search", "fraud", "reports", "archive", "mail", "forecast", "export", "profile", "support"}
	tasks := []string{"writer", "index", "cache", "enrich", "score", "notify", "sync", "copy", "daily", "replay"}
	for i, name := range topics {
		c.topics[name] = topic{partitions: 10, perSecond: float64(5 + 7*i), recordSize: 700, settings: settings(day*model.Millis(1+i%3), -1, hour)}
	}
	for i, team := range teams {
		for j, task := range tasks {
			group := team + "-" + task
			for k, name := range topics {
				c.groups[group] = append(c.groups[group], usual(name, i, j, k))
			}
		}
	}
	return c
}

func usual(topic string, i, j, k int) reader {
	r := reader{topic: topic, behind: 2000, pace: 1, state: "Stable"}
	switch n := i*100 + j*10 + k; {
	case n == 731:
		r.behind, r.pace, r.spread = 44*hour, 0.5, 10*60_000
	case n == 203:
		r.behind, r.pace, r.spread = 14*hour, 0, hour
	case n == 512:
		r.behind, r.pace, r.only = 5*day, 0, model.Known(int32(3))
	case n%97 == 5:
		r.behind, r.pace = 3*hour, 0.9
	case n%41 == 7:
		r.behind, r.pace = 20*60_000, 1.2
	}
	return r
}

// odd are names that want care.
func odd() *cluster {
	c := three()
	c.groups["<img src=x onerror=alert(1)>"] = []reader{{topic: "orders", behind: 20 * hour, pace: 0.2, state: "Stable"}}
	c.groups["a\xffb"] = []reader{{topic: "orders", behind: 3 * hour, pace: 0.2, state: "Stable"}}
	c.groups[fmt.Sprintf("%0200d", 7)] = []reader{{topic: "orders", behind: 4 * hour, pace: 0.2, state: "Stable"}}
	return c
}
