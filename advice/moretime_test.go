package advice_test

import (
	"math"
	"strings"
	"testing"

	"kafka-retention-exporter/advice"
	"kafka-retention-exporter/model"
)

func TestMoreTimeDoublesTheLimitsInForce(t *testing.T) {
	for name, c := range map[string]struct {
		age  model.Maybe[model.Millis]
		size model.Maybe[model.Bytes]
		want string // the end of the command line; none where there is no command
	}{
		"time":            {age: model.Known(model.Millis(86_400_000)), want: "--entity-name orders --add-config 'retention.ms=172800000'"},
		"size":            {size: model.Known(model.Bytes(1 << 30)), want: "--entity-name orders --add-config 'retention.bytes=2147483648'"},
		"both":            {age: model.Known(model.Millis(600_000)), size: model.Known(model.Bytes(1 << 30)), want: "'retention.ms=1200000,retention.bytes=2147483648'"},
		"no limit":        {},
		"nothing is kept": {age: model.Known(model.Millis(0)), want: "'retention.ms=60000'"},
		"the largest":     {age: model.Known(model.Millis(math.MaxInt64)), want: "'retention.ms=9223372036854775807'"},
	} {
		t.Run(name, func(t *testing.T) {
			room, ok := advice.MoreTime("orders", c.age, c.size)
			if ok != (c.want != "") || !strings.HasSuffix(room.Command, c.want) {
				t.Errorf("command %q, %t", room.Command, ok)
			}
			if room.Age.IsKnown() != c.age.IsKnown() || room.Size.IsKnown() != c.size.IsKnown() {
				t.Errorf("raised %+v", room)
			}
		})
	}
}
