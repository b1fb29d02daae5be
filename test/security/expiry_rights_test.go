package security

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

// TestOffsetsTopicWithoutTheRight starts a program that is to read the offsets topic and may not: it
// shows all that one shows that was not told to, and says once what is missing. One that may knows when
// offsets expire.
func TestOffsetsTopicWithoutTheRight(t *testing.T) {
	kafkatest.Require(t)
	t.Parallel()
	s := newSecured(t)
	s.addUsers("retention-exporter")
	flags := s.readmeCommands(t)
	plain := s.run(t, s.sasl, userPassword, flags...)
	told := s.run(t, s.sasl, userPassword, append(slices.Clone(flags), "--offsets.topic")...)
	programs := map[string]*endtoend.Program{"plain": plain, "told": told}
	const expiry = `group_offsets_expire_timestamp_seconds{consumergroup="readers"}`

	want := plain.Await(t, "all forecasts", endtoend.Patience, complete)
	told.Await(t, "all forecasts without the offsets topic", endtoend.Patience, complete)
	awaitPolls(t, programs, 5)
	page := told.Scrape()
	if lacking := without(want, page); len(lacking) > 0 {
		t.Errorf("not there although only the offsets topic is refused: %v", lacking)
	}
	if page.Has(expiry) || page[`poll_failures_total{stage="offsets"}`] < 5 || plain.Scrape()[`poll_failures_total{stage="offsets"}`] != 0 {
		t.Errorf("expiry known: %v; %g polls failed", page.Has(expiry), page[`poll_failures_total{stage="offsets"}`])
	}
	if got := warned(told); !slices.Equal(got, []string{"TOPIC_AUTHORIZATION_FAILED"}) || strings.Count(told.Log(), missingRight+`"Read on `+model.OffsetsTopic) != 1 {
		t.Errorf("the log warns of %v:\n%s", got, told.Log())
	}

	s.grant(t, monitor, right{kmsg.ACLResourceTypeTopic, model.OffsetsTopic, kadm.ACLPatternLiteral, kmsg.ACLOperationRead})
	allowed := s.run(t, s.sasl, userPassword, append(slices.Clone(flags), "--offsets.topic")...)
	page = allowed.Await(t, "the expiry of offsets", endtoend.Patience, func(p endtoend.Page) bool { return p.Has(expiry) })
	if at := time.Until(time.UnixMilli(int64(1000*page[expiry]))) - 7*24*time.Hour; at > 0 || at < -4*time.Minute {
		t.Errorf("offsets expire %v from the retention after now", at)
	}
	if page[`kafka_requests_total{api="Fetch"}`] == 0 {
		t.Error("what was asked is not counted")
	}
	if got := warned(allowed); len(got) > 0 {
		t.Errorf("with the right the log warns of %v", got)
	}
}
