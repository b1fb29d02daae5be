package advice

import (
	"fmt"
	"math"
	"strings"

	"kafka-retention-exporter/model"
)

// The least that MoreTime suggests, for limits that are so small that twice as much is no relief.
const (
	leastAge  = model.Millis(60_000)
	leastSize = model.Bytes(1 << 20)
)

// MoreTime is the command line that doubles the limits in force on a topic, and what it does in
// words; ok is false where none is in force. Both limits are raised where both are on: the one
// that is left alone would act next. It saves what is still there, as far as there is room.
func MoreTime(topic string, age model.Maybe[model.Millis], size model.Maybe[model.Bytes]) (command, effect string, ok bool) {
	var settings, words []string
	if limit, on := age.Get(); on {
		more := max(leastAge, twice(limit))
		settings = append(settings, fmt.Sprintf("retention.ms=%d", more))
		words = append(words, "keeps records for "+lasting(more)+" instead of "+lasting(limit))
	}
	if limit, on := size.Get(); on {
		more := max(leastSize, twice(limit))
		settings = append(settings, fmt.Sprintf("retention.bytes=%d", more))
		words = append(words, "lets each partition grow to "+sized(more)+" instead of "+sized(limit))
	}
	if len(settings) == 0 {
		return "", "", false
	}
	return setTopic(topic, strings.Join(settings, ",")), strings.Join(words, " and "), true
}

// twice doubles a limit and stops at the end of the range: retention.ms may legally be 2^63-1.
func twice[T ~int64](limit T) T {
	if limit > math.MaxInt64/2 {
		return math.MaxInt64
	}
	return 2 * limit
}
