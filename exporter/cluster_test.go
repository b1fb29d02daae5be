package exporter_test

import (
	"slices"
	"strings"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// healthyCluster is one broker with topic "orders" of one partition and group "billing" at
// offset 60 of [10, 100), everything read at now.
func healthyCluster(now model.Instant) *model.Snapshot {
	key := model.PartitionKey{Topic: "orders", Partition: 0}
	return &model.Snapshot{
		Started: now, At: now, Reached: true, ClusterID: "c-1", GroupsSeen: 3,
		Brokers: map[model.BrokerID]model.Broker{1: {ID: 1, Up: true, LastAnswer: model.ReadAt(struct{}{}, now)}},
		Topics: map[string]model.Topic{"orders": {
			Name: "orders", Partitions: 1,
			Settings: map[model.BrokerID]model.Read[model.Settings]{1: model.ReadAt(dayOrGigabyte(), now)},
		}},
		Partitions: map[model.PartitionKey]model.Partition{key: {
			Key: key, Leader: 1, LeaderKnown: true, Replicas: []model.BrokerID{1}, ISR: []model.BrokerID{1},
			LogStart: model.ReadAt(model.Offset(10), now), End: model.ReadAt(model.Offset(100), now),
			Size:   model.ReadAt(model.SizeRead{Bytes: 9000, Still: true}, now),
			Oldest: model.ReadAt(model.Stamped{Offset: 10, Stamp: now - 3_600_000, Found: true}, now),
		}},
		Groups: map[string]model.Group{"billing": {
			Name: "billing", Kind: model.KindClassic, State: "Stable", ProtocolType: "consumer",
			Offsets:     map[model.PartitionKey]model.Read[model.Commit]{key: model.ReadAt(model.Commit{Offset: 60}, now)},
			OffsetsRead: model.ReadAt(struct{}{}, now),
		}},
	}
}

func dayOrGigabyte() model.Settings {
	return model.Settings{Policy: model.PolicyDelete, RetentionMs: 86_400_000, RetentionBytes: 1 << 30, TimestampType: model.CreateTime}
}

// simpleReport forecasts a loss one hour after the poll for every committed offset.
func simpleReport(s *model.Snapshot, now model.Instant) *predictor.Report {
	report := &predictor.Report{At: now}
	for name, g := range s.Groups {
		for key, commit := range g.Offsets {
			report.Pairs = append(report.Pairs, simpleForecast(s, name, key, commit, now))
		}
	}
	slices.SortFunc(report.Pairs, func(a, b predictor.Forecast) int { return strings.Compare(a.Key.Group, b.Key.Group) })
	return report
}

func simpleForecast(s *model.Snapshot, group string, key model.PartitionKey, commit model.Read[model.Commit], now model.Instant) predictor.Forecast {
	p := s.Partitions[key]
	position, _ := commit.Get()
	positionAt, _ := commit.At()
	end, _ := p.End.Get()
	endAt, _ := p.End.At()
	loss := now + 3_600_000
	return predictor.Forecast{
		Key: model.PairKey{Group: group, PartitionKey: key}, State: model.Known(predictor.Progressing),
		Position: model.Known(position.Offset), Lag: model.Known(end - position.Offset),
		NextStamp: model.Known(now - 60_000), Used: model.Known(0.25),
		Loss: model.Known(loss), Earliest: model.Known(loss - 60_000), Latest: model.Known(loss + 60_000),
		Stopped: model.Known(loss - 30_000), Floor: model.Known(loss - 120_000), Rule: model.Known(predictor.ByTime),
		PositionAt: model.Known(positionAt), InputsAt: model.Known(min(endAt, positionAt)),
	}
}

// unreachable is a poll that reached no broker and knows nothing from before.
func unreachable(now model.Instant) *model.Snapshot {
	return &model.Snapshot{Started: now, At: now, Problems: []model.Problem{{
		Stage: model.StageMetadata, Cause: "unreachable", Detail: "dial tcp 127.0.0.1:9092: connection refused", Count: 1,
	}}}
}
