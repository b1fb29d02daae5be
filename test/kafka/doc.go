// Package kafka runs real Apache Kafka brokers for tests. Import it as kafkatest.
//
//	func TestSomething(t *testing.T) {
//		kafkatest.Require(t)
//		c := kafkatest.Start(t, kafkatest.Options{Brokers: 3})
//		ctx := c.Context(time.Minute)
//		c.Must(c.CreateTopic(ctx, kafkatest.Topic{Name: "orders", Replicas: 3, Configs: map[string]string{"retention.ms": "60000"}}))
//		_, err := c.Produce(ctx, "orders", 0, 100, time.Now().Add(-time.Hour))
//		c.Must(err)
//		c.Broker(2).Stop()
//	}
//
// # What it needs
//
// Java 17 or newer and Maven, from Debian default-jre-headless and maven. Tests run only with KRE_BROKER=1;
// without it Require skips them and says so. The jars of a version are resolved once from Maven Central by
// pom.xml into $KRE_CACHE/kafka/VERSION, or .cache/kafka/VERSION beside go.mod (45 MB a version). Versions
// known to run: 3.9.2, 4.0.1, 4.1.2, 4.2.2, 4.3.1, 4.4.0 (DefaultVersion). Options.Jars adds single
// jars, like a storage plug-in, cached beside them.
//
// # A cluster
//
// Start runs one to three brokers in KRaft mode on loopback, in the test's temporary folder, each a
// controller too (of two only the first). It returns when each lists all and every group coordinator
// answers, so that no test meets the errors of a starting broker: 4 to 6 seconds for one, 8 to 15 for three. Options.Properties
// override any default; a name with a plus at its end ("listeners+") adds to the default's list instead, and
// FreePort gives ports for further listeners. Tools gives Kafka's own command line programs.
//
// Defaults differ from Kafka's where they compress time: retention passes every second from 0.5 s after start,
// cleaner back-off 1 s, deleted files unlinked after 0.5 s, no delay of the first rebalance. Topics are
// not created by themselves and leaders do not move back by themselves. Internal topics have as many
// replicas as there are brokers and few partitions.
//
// A topic compresses time with segment.ms, internal.segment.bytes (below the minimum of segment.bytes, since
// 4.1) and old record stamps: history is written by Produce in one go and deleted as it comes of age.
//
// # Brokers
//
// Broker(id) can be stopped, killed, started again, paused and resumed while the test runs. Brokers end with the test whether it
// passes, fails or panics; on Linux also when the test binary is killed. When the test has failed, the
// end of each console log is printed; Broker.Log has all of it.
//
// # Ops and Truth
//
// Ops holds what tests do to topics, records and groups; a Cluster embeds one, and NewOps makes one for any
// addresses. Its methods return errors and may be called from any goroutine; Cluster.Must fails the test.
// A subtest uses Cluster.For(t), so that its failures are its own.
//
// Truth is what a forecast is compared with: it samples log starts and ends several times a second
// and tells for every move of a log start the window in which it happened.
package kafka
