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

// Room is a change that makes limits act later.
type Room struct {
	Command string                    // the command line that makes it
	Age     model.Maybe[model.Millis] // retention.ms afterwards; unknown where that is left alone
	Size    model.Maybe[model.Bytes]  // retention.bytes, likewise
}

// MoreTime doubles the limits in force on a topic; ok is false where none is. Both are raised
// where both are on: the one that is left alone would act next. It saves what is still there, as
// far as the disks have room.
func MoreTime(topic string, age model.Maybe[model.Millis], size model.Maybe[model.Bytes]) (r Room, ok bool) {
	var settings []string
	if limit, on := age.Get(); on {
		more := max(leastAge, twice(limit))
		r.Age = model.Known(more)
		settings = append(settings, fmt.Sprintf("retention.ms=%d", more))
	}
	if limit, on := size.Get(); on {
		more := max(leastSize, twice(limit))
		r.Size = model.Known(more)
		settings = append(settings, fmt.Sprintf("retention.bytes=%d", more))
	}
	if len(settings) == 0 {
		return Room{}, false
	}
	r.Command = setTopic(topic, strings.Join(settings, ","))
	return r, true
}

// twice doubles a limit and stops at the end of the range: retention.ms may legally be 2^63-1.
func twice[T ~int64](limit T) T {
	if limit > math.MaxInt64/2 {
		return math.MaxInt64
	}
	return 2 * limit
}
