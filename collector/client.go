package collector

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// The name that brokers are told (KIP-511).
const softwareName, softwareVersion = "kafka-retention-exporter", "1"

// maxAnswer is more than the largest answer that can be meant: the positions of 65,000 groups on 50
// partitions each, which come in one, are 120 MB. It is less than what the first bytes of a TLS
// alert (0x15 03 ..) look like as a size, by which a TLS port gives itself away.
const maxAnswer int32 = 0x15 << 24

// newClient makes the connection to the cluster. Nothing is sent before the first request.
func newClient(c Config, hook kgo.Hook) (*kgo.Client, error) {
	options := append(connecting(c),
		kgo.WithHooks(hook),
		// The default of 30 s closes every connection between polls a minute apart, and each new
		// one costs the broker a TLS handshake and a login.
		kgo.ConnIdleTimeout(10*time.Minute),
		// Requests end with their context. These only bound what kgo does on its own.
		kgo.RequestTimeoutOverhead(2*c.BrokerDeadline),
		kgo.RetryTimeout(c.BrokerDeadline),
		kgo.RequestRetries(2),
		kgo.RetryBackoffFn(func(int) time.Duration { return 50 * time.Millisecond }),
		kgo.MetadataMinAge(100*time.Millisecond),
		kgo.BrokerMaxReadBytes(c.MaxAnswer),
		kgo.FetchMaxBytes(min(c.MaxAnswer, 50<<20)), // kgo wants no more of it than may be read, and nothing is fetched this way
	)
	client, err := kgo.NewClient(options...)
	if err != nil {
		return nil, fmt.Errorf("configure the Kafka client: %w", err)
	}
	return client, nil
}

// connecting is how every client of the collector reaches the cluster.
func connecting(c Config) []kgo.Opt {
	options := []kgo.Opt{
		kgo.SeedBrokers(c.Brokers...),
		kgo.ClientID(c.ClientID),
		kgo.SoftwareNameAndVersion(softwareName, softwareVersion),
		// kgo would send KIP-714 telemetry about itself to the cluster.
		kgo.DisableClientMetrics(),
		kgo.DialTimeout(c.BrokerDeadline),
	}
	if c.SASL != nil {
		options = append(options, kgo.SASL(marking{c.SASL}))
	}
	return append(options, dialing(c)...)
}

// dialing gives kgo a dialer where its own does not do: that one reads no file again, so that a
// renewed authority or certificate would need a restart.
func dialing(c Config) []kgo.Opt {
	switch {
	case c.TLS != nil:
		return []kgo.Opt{kgo.Dialer(func(ctx context.Context, network, address string) (net.Conn, error) {
			return dialTLS(ctx, c, network, address)
		})}
	case c.Dial != nil:
		return []kgo.Opt{kgo.Dialer(c.Dial)}
	}
	return nil
}

func dialTLS(ctx context.Context, c Config, network, address string) (net.Conn, error) {
	config, err := c.TLS.config()
	if err != nil {
		return nil, err
	}
	dial := c.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: c.BrokerDeadline}).DialContext
	}
	conn, err := dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		config.ServerName = host
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = conn.Close() // the handshake's error is the one that counts
		return nil, err
	}
	return secure, nil
}
