package disk

import (
	"strconv"
	"strings"

	"kafka-retention-exporter/model"
)

// The endings of files and folders beside the log (broker.md 10.1, 10.2).
const (
	logEnding     = ".log"
	indexEnding   = ".index"
	timeEnding    = ".timeindex"
	deletedEnding = ".deleted"
)

// metadataTopic is the cluster's own log, which is no topic.
const metadataTopic = "__cluster_metadata"

// partitionOf reads the name of a folder: the topic, up to the last dash, and the partition. ok is
// false for replicas that do not serve (TOPIC-N.hex-future, -delete, -stray) and for other folders.
func partitionOf(folder string) (key model.PartitionKey, ok bool) {
	at := strings.LastIndexByte(folder, '-')
	if at <= 0 {
		return key, false
	}
	n, ok := number(folder[at+1:], 32)
	if !ok || folder[:at] == metadataTopic {
		return key, false
	}
	return model.PartitionKey{Topic: folder[:at], Partition: int32(n)}, true
}

// baseOf reads the name of a file that belongs to a segment in the log: twenty digits and an ending.
func baseOf(file, ending string) (base model.Offset, ok bool) {
	digits, ok := strings.CutSuffix(file, ending)
	if !ok || len(digits) != 20 {
		return 0, false
	}
	n, ok := number(digits, 64)
	return model.Offset(n), ok
}

// number reads digits and nothing else, no sign among them.
func number(digits string, bits int) (n int64, ok bool) {
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, bits)
	return n, err == nil
}
