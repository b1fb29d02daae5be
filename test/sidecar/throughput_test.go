package sidecar

import (
	"context"
	"math/rand"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"kafka-retention-exporter/test/endtoend"
	kafkatest "kafka-retention-exporter/test/kafka"
)

const (
	fewestPairs = 10
	mostPairs   = 40
	trial       = 6 * time.Second  // that is measured
	starting    = 10 * time.Second // before that: the program starts, and reads the history of what it watches in its first polls
	settling    = 2 * time.Second  // before that: it has gone
	mostLost    = 0.02
	narrow      = 0.02 // how wide the confidence limits may be at the end
)

// TestThroughput lets a producer run at full speed on a broker, in pairs of trials with and without the
// program beside it, polling each second. It prints each pair. They go on until the limits of the
// median are narrow; the order within a pair changes, so that what drifts counts for both.
//
//	KRE_BROKER=1 KRE_THROUGHPUT=1 go test -run TestThroughput -v ./test/sidecar
func TestThroughput(t *testing.T) {
	if os.Getenv("KRE_THROUGHPUT") == "" {
		t.Skip("for a machine that does nothing else: KRE_THROUGHPUT=1, as in test/full")
	}
	kafkatest.Require(t)
	c := kafkatest.Start(t, kafkatest.Options{JVM: []string{"-Xmx1g"}})
	ctx := c.Context(20 * time.Minute)
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "load", Partitions: 8, Configs: map[string]string{
		"retention.bytes": "100000000", "segment.bytes": "20000000", "retention.ms": "600000",
	}}))
	c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "idle", Partitions: 200}))
	for p := range int32(8) {
		c.Must(c.Commit(ctx, "group", "load", p, 0))
	}
	binary := endtoend.Build(t)
	acked := load(ctx, t, c)
	time.Sleep(10 * time.Second) // until the machine of the broker has compiled what is used much
	var losses []float64
	var low, high float64
	var took time.Duration // by the program, its start included
	t.Log("pair, MB/s without and with, lost, 95 % limits of the median so far")
	for pair := 0; pair < mostPairs && (pair < fewestPairs || high-low > narrow); pair++ {
		var rate [2]float64 // without and with
		for i := range 2 {
			with := (pair + i) % 2
			var p *endtoend.Program
			if with == 1 {
				p = endtoend.Run(t, binary, c.Addresses(), nil, "--log.dirs="+c.Broker(1).LogDir())
			}
			if p != nil {
				time.Sleep(starting)
			} else {
				time.Sleep(settling)
			}
			from, since := acked.Load(), time.Now()
			time.Sleep(trial)
			rate[with] = float64(acked.Load()-from) / time.Since(since).Seconds() / 1e6
			if p != nil {
				p.Kill()
				took += p.ProcessorTime()
			}
		}
		losses = append(losses, 1-rate[1]/rate[0])
		low, high = limits(losses)
		t.Logf("%4d  %10.1f  %10.1f  %+6.1f %%  %+7.2f to %+.2f %%", pair+1, rate[0], rate[1], 100*losses[pair], 100*low, 100*high)
	}
	median := middle(losses)
	t.Logf("median of %d pairs: %+.2f %% lost, 95 %% limits %+.2f to %+.2f %%", len(losses), 100*median, 100*low, 100*high)
	t.Logf("the program took %.1f %% of one processor", 100*took.Seconds()/(starting+trial).Seconds()/float64(len(losses)))
	if median >= mostLost {
		t.Errorf("%.2f %% of the throughput is lost, no more than %.0f %% may be", 100*median, 100*mostLost)
	}
}

// load produces as fast as it can until the test ends; what was acknowledged is counted in bytes.
func load(ctx context.Context, t *testing.T, c *kafkatest.Cluster) *atomic.Int64 {
	t.Helper()
	cl := c.Client(kgo.DefaultProduceTopic("load"), kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.MaxBufferedRecords(20_000),
		kgo.ProducerLinger(5*time.Millisecond))
	value := make([]byte, 1000)
	rand.New(rand.NewSource(1)).Read(value)
	acked := &atomic.Int64{}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	t.Cleanup(func() { stop(); <-done })
	go func() {
		defer close(done)
		for ctx.Err() == nil { // waits where too many are on their way
			cl.Produce(ctx, &kgo.Record{Value: value}, func(_ *kgo.Record, err error) {
				if err == nil {
					acked.Add(int64(len(value)))
				}
			})
		}
	}()
	return acked
}

func middle(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// limits are those between which the median of all pairs lies in 95 of 100 cases, whatever their
// distribution: it is below the k-th smallest value as seldom as k heads are among so many coins.
func limits(of []float64) (low, high float64) {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	k, tail, term := 0, 0.0, 1.0
	for range n {
		term /= 2
	}
	for tail+term <= 0.025 && k < n/2 {
		tail += term
		term *= float64(n-k) / float64(k+1)
		k++
	}
	k = max(k-1, 0)
	return sorted[k], sorted[n-1-k]
}

// TestLimits has the ranks of a table of the binomial distribution: of 10 values the 2nd and the 9th, of
// 20 the 6th and the 15th.
func TestLimits(t *testing.T) {
	for n, rank := range map[int]float64{10: 2, 20: 6, 5: 1} {
		var values []float64
		for i := range n {
			values = append(values, float64(i+1))
		}
		if low, high := limits(values); low != rank || high != float64(n+1)-rank {
			t.Errorf("of %d: %v and %v, want the rank %v from either end", n, low, high, rank)
		}
	}
}
