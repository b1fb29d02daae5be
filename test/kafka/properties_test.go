package kafka

import (
	"strings"
	"testing"
)

func TestLaterPropertiesWin(t *testing.T) {
	got := properties(map[string]string{"b": "1", "a": "1"}, map[string]string{"b": "2"}, nil, map[string]string{"c": "3"})
	if want := "a=1\nb=2\nc=3\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPropertyWithAPlusAddsToTheList(t *testing.T) {
	got := properties(map[string]string{"listeners": "a,b", "c": "1"}, map[string]string{"listeners+": "d"})
	if want := "c=1\nlisteners=a,b,d\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestVotersSurviveTheStopOfOne(t *testing.T) {
	for brokers, want := range map[int]string{
		1: "1@127.0.0.1:10",
		2: "1@127.0.0.1:10",
		3: "1@127.0.0.1:10,2@127.0.0.1:11,3@127.0.0.1:12",
	} {
		got, count := voters([]int{10, 11, 12}[:brokers])
		if got != want || count != strings.Count(want, "@") {
			t.Errorf("%d brokers: voters %q (%d), want %q", brokers, got, count, want)
		}
	}
}

func TestGroupNamesReachEveryCoordinatorPartition(t *testing.T) {
	if got := javaHash("kafka"); got != 101807910 {
		t.Errorf("hash of kafka is %d, String.hashCode gives 101807910", got)
	}
	names := groupPerPartition(50)
	taken := map[int]bool{}
	for _, n := range names {
		taken[int(javaHash(n)&0x7fffffff)%50] = true
	}
	if len(names) != 50 || len(taken) != 50 {
		t.Errorf("%d names reach %d of 50 partitions", len(names), len(taken))
	}
}
