package collector

import "github.com/twmb/franz-go/pkg/kerr"

// retry says whether asking again in the same poll makes sense.
type retry int

const (
	retryNever retry = iota + 1
	retrySame        // the leader will know in a moment
	retryMoved       // metadata is out of date
)

func retryFor(code int16) retry {
	switch code {
	case kerr.NotLeaderForPartition.Code, kerr.UnknownTopicOrPartition.Code, kerr.LeaderNotAvailable.Code,
		kerr.UnknownTopicID.Code, kerr.FencedLeaderEpoch.Code, kerr.UnknownLeaderEpoch.Code, kerr.KafkaStorageError.Code:
		return retryMoved
	case kerr.OffsetNotAvailable.Code, kerr.ReplicaNotAvailable.Code:
		return retrySame
	}
	return retryNever
}
