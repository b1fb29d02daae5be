package collector

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

func TestReleaseIsNamedFromTheVersionsABrokerAnswers(t *testing.T) {
	for _, test := range []struct {
		versions *kversion.Versions
		name     string
		many     bool // takes several groups in one OffsetFetch
	}{
		{kversion.V2_8_0(), "2.8", false},
		{kversion.V3_3_0(), "3.4", true}, // these two answer alike
		{kversion.V3_9_0(), "3.9", true},
		{kversion.V4_4_0(), "4.4", true},
	} {
		answer := kmsg.NewPtrApiVersionsResponse()
		test.versions.EachMaxKeyVersion(func(k, v int16) {
			answer.ApiKeys = append(answer.ApiKeys, kmsg.ApiVersionsResponseApiKey{ApiKey: k, MaxVersion: v})
		})
		r := releaseOf(answer)
		if r.name != test.name || r.has(kmsg.OffsetFetch, manyGroups) != test.many {
			t.Errorf("have release %q with several groups per request %v, want %q and %v", r.name, r.has(kmsg.OffsetFetch, manyGroups), test.name, test.many)
		}
	}
}

func TestReleaseIsUnnamedWhereNoKafkaAnswersLikeThat(t *testing.T) {
	answer := kmsg.NewPtrApiVersionsResponse()
	answer.ApiKeys = []kmsg.ApiVersionsResponseApiKey{{ApiKey: int16(kmsg.ListOffsets), MaxVersion: 3}, {ApiKey: int16(kmsg.OffsetFetch), MaxVersion: 9}}
	if r := releaseOf(answer); r.name != "" {
		t.Errorf("named %q", r.name)
	}
}

func TestUnreadVersionsAreTakenForPresentOnes(t *testing.T) {
	if !(release{}).has(kmsg.OffsetFetch, manyGroups) {
		t.Error("a broker whose versions are not known yet is treated as an old one")
	}
}
