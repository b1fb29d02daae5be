package advice_test

import (
	"testing"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

const (
	second = model.Millis(1000)
	hour   = 3600 * second
	day    = 24 * hour
	mib    = model.Bytes(1 << 20)
	gib    = 1024 * mib
	noon   = model.Instant(1_700_000_000_000)
)

// cluster is one topic "t" with one partition on brokers 1 and 2, led by 1, which a test bends.
type cluster struct {
	settings [2]model.Settings // as brokers 1 and 2 resolve them
	part     model.Partition
	outlook  predictor.Outlook
	groups   map[string]model.Group
	pairs    []predictor.Forecast
	problems []model.Problem
	volume   model.Volume
	files    model.LocalBroker
	sign     string // of a retention code of their own, of both brokers
}

// calm is a cluster about which there is nothing to find.
func calm() *cluster {
	s := model.DefaultSettings()
	s.RetentionMs, s.RetentionMsSource, s.SegmentMs = day, model.SourceTopic, hour
	key := model.PartitionKey{Topic: "t"}
	return &cluster{
		settings: [2]model.Settings{s, s},
		part: model.Partition{
			Key: key, Leader: 1, LeaderKnown: true, Replicas: []model.BrokerID{1, 2}, ISR: []model.BrokerID{1, 2},
			LogStart: model.ReadAt(model.Offset(100), noon), End: model.ReadAt(model.Offset(900), noon),
			Size: model.ReadAt(model.SizeRead{Bytes: 100 * mib}, noon), Oldest: model.ReadAt(model.Stamped{Offset: 100, Stamp: noon.Add(-day), Found: true}, noon),
			FollowerLogStart: map[model.BrokerID]model.Read[model.Offset]{2: model.ReadAt(model.Offset(100), noon)},
		},
		outlook: predictor.Outlook{
			Newest: model.Known(noon), Active: model.Known(mib), ByteRate: model.Known(1000.0),
		},
		groups: map[string]model.Group{"g": {Name: "g", Offsets: map[model.PartitionKey]model.Read[model.Commit]{key: model.ReadAt(model.Commit{Offset: 800}, noon)}}},
		pairs: []predictor.Forecast{{
			Key: model.PairKey{Group: "g", PartitionKey: key}, NextStamp: model.Known(noon.Add(-hour)),
			Inputs: predictor.Inputs{BytesUnread: model.Known(mib)},
		}},
		volume: model.Volume{
			Total: model.ReadAt(100*gib, noon), Usable: model.ReadAt(50*gib, noon),
			Replicas: map[model.PartitionKey]model.Bytes{key: 100 * mib},
		},
	}
}

// both sets the settings of both brokers.
func (c *cluster) both(f func(*model.Settings)) {
	for i := range c.settings {
		f(&c.settings[i])
	}
}

func (c *cluster) snapshot() *model.Snapshot {
	return &model.Snapshot{
		At: noon, Reached: true, Problems: c.problems, Groups: c.groups,
		Brokers: map[model.BrokerID]model.Broker{1: c.broker(1), 2: c.broker(2)},
		Topics: map[string]model.Topic{"t": {Name: "t", Partitions: 1, Settings: map[model.BrokerID]model.Read[model.Settings]{
			1: model.ReadAt(c.settings[0], noon), 2: model.ReadAt(c.settings[1], noon),
		}}},
		Partitions: map[model.PartitionKey]model.Partition{c.part.Key: c.part},
		Local:      model.ReadAt(c.files, noon),
	}
}

// differing is the one partition's replica whose files are not as told.
func differing(d model.Difference) map[model.PartitionKey]*model.LocalReplica {
	key := model.PartitionKey{Topic: "t"}
	return map[model.PartitionKey]*model.LocalReplica{key: {Key: key, Differs: model.Known(d)}}
}

func (c *cluster) broker(id model.BrokerID) model.Broker {
	return model.Broker{
		ID: id, Unverified: c.sign, Version: model.ReadAt("4.4", noon), Dirs: map[string]model.Volume{"/data": c.volume},
		Settings: model.ReadAt(model.BrokerSettings{CheckInterval: 300 * second, CleanerBackoff: 15 * second}, noon),
	}
}

func (c *cluster) report() *predictor.Report {
	return &predictor.Report{At: noon, Pairs: c.pairs, Partitions: map[model.PartitionKey]predictor.Outlook{c.part.Key: c.outlook}}
}

func (c *cluster) findings(lags advice.Lags) []advice.Finding {
	s, report := c.snapshot(), c.report()
	return advice.Findings(s, report, lags.With(s, report), noon)
}

func TestNothingToFindInACalmCluster(t *testing.T) {
	for _, f := range calm().findings(nil) {
		t.Errorf("%+v", f)
	}
}
