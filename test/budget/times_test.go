package budget

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/collector"
)

// TestLookUpsKeepToTheirBudget: what a program that knows nothing looks up in the time indexes is a
// request a broker and round, sixteen rounds in each of the first five polls and three afterwards,
// however much there is to be known. It ends once forecasts are as narrow as they need to be.
func TestLookUpsKeepToTheirBudget(t *testing.T) {
	for _, brokers := range []int{1, 3} {
		t.Run(fmt.Sprintf("%d brokers", brokers), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				config := quietCluster(t, brokers)
				m, stop := Start(t, config, 10*time.Second)
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				later := len(m.saw)
				addTopic(t, config)
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				stop()

				rounds, asked, most, askedLater := map[int]int64{}, 0, 0, int64(0)
				for _, l := range m.lookUps {
					rounds[l.poll]++
					asked += l.questions
					most = max(most, l.questions)
					if l.sent < 1 || l.sent > int64(brokers) {
						t.Errorf("poll %d: %d requests in a round to %d brokers", l.poll, l.sent, brokers)
					}
				}
				for poll, n := range rounds {
					if poll > later {
						askedLater += n
					}
					if allowed := map[bool]int64{true: 16, false: 3}[poll <= 5]; n > allowed {
						t.Errorf("poll %d: %d rounds, want at most %d", poll, n, allowed)
					}
				}
				t.Logf("%d questions in %d rounds, %d in one; polls that asked: %d of %d", asked, len(m.lookUps), most, len(rounds), len(m.saw))
				if most < 20 || askedLater < 4 {
					t.Errorf("hardly anything was asked: %d questions at once, %d rounds about a new topic", most, askedLater)
				}
				if late := rounds[len(m.saw)]; late > 0 {
					t.Errorf("%d rounds after the last poll of a quiet cluster", late)
				}
			})
		})
	}
}

// addTopic makes one more topic with the records of ten days, and a group in the middle of them.
func addTopic(t *testing.T, config collector.Config) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(config.Brokers...), kgo.Dialer(config.Dial), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableClientMetrics())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	admin, month := kadm.NewClient(client), "2592000000"
	if _, err := admin.CreateTopic(t.Context(), 1, 1, map[string]*string{"retention.ms": &month}, "late"); err != nil {
		t.Fatal(err)
	}
	const hours = 240
	var records []*kgo.Record
	for hour := range hours {
		records = append(records, &kgo.Record{Topic: "late", Value: []byte("0123456789"), Timestamp: time.Now().Add(-time.Duration(hours-hour) * time.Hour)})
	}
	if err := client.ProduceSync(t.Context(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	offsets := kadm.Offsets{}
	offsets.Add(kadm.Offset{Topic: "late", At: hours / 2, LeaderEpoch: -1})
	if err := admin.CommitAllOffsets(t.Context(), "late", offsets); err != nil {
		t.Fatal(err)
	}
}
