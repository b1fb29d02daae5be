package model

// DefaultSettings are a topic's settings on a broker that sets nothing (LogConfig,
// ServerLogConfigs): seven days, no size limit, segments of 1 GiB or seven days.
func DefaultSettings() Settings {
	const week Millis = 7 * 24 * 60 * 60 * 1000
	return Settings{
		Policy:               PolicyDelete,
		RetentionMs:          week,
		RetentionBytes:       -1,
		SegmentBytes:         1 << 30,
		SegmentMs:            week,
		SegmentIndexBytes:    10 << 20,
		IndexIntervalBytes:   4096,
		TimestampType:        CreateTime,
		FileDeleteDelay:      60_000,
		LocalRetentionMs:     sameAsTotal,
		LocalRetentionBytes:  sameAsTotal,
		RetentionMsSource:    SourceDefault,
		RetentionBytesSource: SourceDefault,
	}
}

// sameAsTotal is the value of local.retention.* that means: whatever retention.* says.
const sameAsTotal = -2
