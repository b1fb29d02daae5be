package kafka

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// guard is the environment variable that lets tests start real brokers.
const guard = "KRE_BROKER"

// Require lets a test go on only where real brokers are wanted: without KRE_BROKER=1 the test is
// skipped and says what is left out; with it, a missing Java or Maven fails the test instead of
// hiding it.
func Require(t testing.TB) {
	t.Helper()
	if os.Getenv(guard) != "1" {
		t.Skipf("left out: %s talks to a real Kafka broker. To run it: apt-get install default-jre-headless maven, then %s=1 go test (test/run does both)", t.Name(), guard)
	}
	var missing []string
	for _, need := range []struct{ program, debian string }{{"java", "default-jre-headless"}, {"mvn", "maven"}} {
		if _, err := exec.LookPath(need.program); err != nil {
			missing = append(missing, need.debian)
		}
	}
	if len(missing) > 0 {
		t.Fatalf("%s=1 asks for real brokers, but programs are missing: apt-get install %s", guard, strings.Join(missing, " "))
	}
}
