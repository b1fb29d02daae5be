package advice

import (
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// Lag is the largest lag seen on a topic, in time and in bytes, and whose they were.
type Lag struct {
	Time        model.Millis
	Group       string
	Partition   int32
	Bytes       model.Bytes
	BytesGroup  string
	BytesSeenOn int32
}

// Lags are the largest lags seen on each topic.
type Lags map[string]Lag

// With is the lags after a poll and its report, nil where there is none yet: a new value, the old
// one stays as it is. Topics that are gone are left out. A lag in time is the age of the next unread
// record, by the newest stamp up to it.
func (l Lags) With(s *model.Snapshot, report *predictor.Report) Lags {
	out := make(Lags, len(l))
	for topic, lag := range l {
		if _, there := s.Topics[topic]; there {
			out[topic] = lag
		}
	}
	if report == nil {
		return out
	}
	for _, f := range report.Pairs {
		lag := out[f.Key.Topic]
		if stamp, ok := f.NextStamp.Get(); ok {
			if d := report.At.Sub(stamp); d > lag.Time {
				lag.Time, lag.Group, lag.Partition = d, f.Key.Group, f.Key.Partition
			}
		}
		if n, ok := f.Inputs.BytesUnread.Get(); ok && n > lag.Bytes {
			lag.Bytes, lag.BytesGroup, lag.BytesSeenOn = n, f.Key.Group, f.Key.Partition
		}
		if lag != (Lag{}) {
			out[f.Key.Topic] = lag
		}
	}
	return out
}
