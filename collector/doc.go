// Package collector reads a Kafka cluster into model.Snapshot. It is the only package that talks
// to Kafka, and it never needs READ on a topic, unless it is to read where brokers or Kafka Connect
// keep offsets.
//
//	config := collector.Default()
//	config.Brokers = []string{"kafka-1:9092", "kafka-2:9092"}
//	c, err := collector.New(config) // connects to nothing yet
//	...
//	defer c.Close()
//	snapshot := c.Poll(ctx, func() model.Instant { return model.InstantOf(time.Now()) })
//
// # One poll
//
// Poll asks every broker at the same time, step by step, and waits for all of them between the
// steps: first the log starts that are due, then groups and their commits, then ends. So a commit below the log
// start of the same poll was deleted, whatever the group does meanwhile, and no lag is negative.
// The order holds for each partition whichever brokers lead it and coordinate the group.
//
// Each broker has BrokerDeadline for all its answers in a poll together, and is not asked again
// in that poll once it has spent it or its connection failed; a poll ends within twice that time.
// Where share groups start is asked over connections of their own, which have half as much time
// again: their coordinators may be slow to tell, and that costs no other answer.
// A request is repeated once where the connection had broken. Nothing else is retried in a poll
// but what a moved leader, a moved coordinator or an election spoiled, and that once.
//
// # What could not be read
//
// Poll never fails. A value that could not be read keeps the last one with its instant, and what
// went wrong is in Snapshot.Problems: one entry for each stage, cause and broker, with the number
// of partitions, topics or groups it stands for and one of them as an example. One forbidden
// topic among thousands costs that topic only. What is refused and asked for again only after a
// while (settings, log dirs, members) is a problem of every poll in between, too. The cause is Kafka's name of the error, or one of
//
//	deadline         the broker did not answer in its time
//	refused          nobody listens at its address
//	unreachable      no such host, no route, or not a broker of the cluster any more
//	disconnected     the connection broke
//	tls              one side speaks TLS and the other does not, or a certificate was refused
//	sasl             the login failed, or is missing
//	throttled        the broker lets us wait for longer than its time: a quota is used up
//	too_large        an answer larger than any that can be meant
//	malformed        an answer that cannot be read
//	canceled         the caller's context ended
//	missing_answer   the answer lacks what was asked for
//	empty_answer     nothing where there was something; kept until it is said twice
//	start_above_end  no state of one log; both are thrown away
//	failed           anything else
//
// What is gone is removed, but only when that is proven, since a failed read, a missing right
// and a broker that has just started look the same: a topic when two successive answers of
// Metadata lack it, or one does and its leader says that it does not exist, and never while its
// leader says that we may not see it; a group when two successive lists to which every broker
// contributed lack it; a commit when its group's answer lacks it, but if that answer has no commit
// at all then only the second time. A topic with another topic id is a new one: nothing that was
// read of the old one stays, its commits included. Before 2.8 there are no ids; there a topic is
// known as a new one only if it has fewer partitions.
//
// A broker that left the cluster stays in the snapshot, not up, while partitions list it as a
// replica.
//
// # What rests
//
// With B brokers a poll is 3B requests: the groups, what they committed, the ends. With OffsetsTopic
// there is one more to each leader of that topic, and its Metadata each minute. Everything else
// has a clock of its own. Log starts move at the passes of retention, and sizes matter as much as
// the time that is left: until when the ones and the others may rest, Attend is told by whoever
// forecasts (model.Attention). Without that nothing rests. A log start is read at once where it is
// new, under a new leader, after an end that went back, beside a size, and until it is answered
// where it was not. While it rests and its leader answers, it stands for the present
// (Partition.LogStartAsOf).
//
// # Requests
//
// In the order in which a poll sends them. Each is one request to a broker, however many
// partitions, topics or groups it is about (OffsetFetch before 3.0 and FindCoordinator before 3.0
// take one group each). Filters act before asking; Metadata, ListGroups and, for volumes,
// DescribeLogDirs alone give more than what is watched. The rights are on what is watched. A sign of change is an error that says that
// a leader moved or a topic is unknown, an end that went back, a partition without a leader, a
// broker that did not answer, a topic that vanished, or a commit on a topic that is not listed.
//
//	request                      to                                                 how often                                                  right
//	ApiVersions                  each broker                                        after each new connection                                  none
//	SaslHandshake                each broker                                        each login                                                 none
//	SaslAuthenticate             each broker                                        each login                                                 none
//	Metadata                     any broker                                         MetadataEvery; at once after a sign of change              DESCRIBE topic
//	DescribeConfigs              each broker, for itself and the topics it holds    ConfigsEvery; at once for new topics and replicas          DESCRIBE_CONFIGS topic and cluster
//	ListOffsets -2               leaders                                            what does not rest; at once under a new leader             DESCRIBE topic
//	Fetch                        leaders of __consumer_offsets                      every poll with OffsetsTopic                               READ __consumer_offsets
//	ListGroups                   each broker                                        every poll                                                 DESCRIBE cluster, else DESCRIBE group
//	OffsetFetch                  coordinators, all their groups at once             every poll                                                 DESCRIBE group and topic
//	DescribeShareGroupOffsets    coordinators of share groups, all of them at once  every poll                                                 DESCRIBE group and topic
//	FindCoordinator              any broker                                         after NOT_COORDINATOR                                      DESCRIBE group
//	DescribeGroups               coordinators                                       DescribeEvery; after a rebalance                           DESCRIBE group
//	ConsumerGroupDescribe        coordinators                                       DescribeEvery; after a rebalance                           DESCRIBE group and its topics
//	StreamsGroupDescribe         coordinators                                       DescribeEvery; after a rebalance                           DESCRIBE group and its topics
//	ListOffsets -1, for sizes    leaders                                            under retention.bytes what does not rest, else SizesEvery  DESCRIBE topic
//	DescribeLogDirs              leaders; all brokers for volumes                   under retention.bytes what does not rest, else SizesEvery  DESCRIBE cluster
//	ListOffsets -1               leaders                                            every poll                                                 DESCRIBE topic
//	ListOffsets -2, for sizes    leaders                                            under retention.bytes what does not rest, else SizesEvery  DESCRIBE topic
//	ListOffsets 0                leaders                                            when a log start has moved                                 DESCRIBE topic
//	ListOffsets -4               leaders of tiered topics                           with the log start                                         DESCRIBE topic
//	ListOffsets -2, as debugger  followers                                          ReplicasEvery                                              DESCRIBE topic
//	ListOffsets by time          leaders                                            RecordTimes                                                DESCRIBE topic
//
// ListOffsets is named with the time it asks for: -2 log start, -1 high watermark, -4 local log
// start (Kafka 3.5), 0 the oldest record. As a debugger (replica id -2) any replica answers from
// its own log.
//
// Ends of committed transactions (ListOffsets -1, read_committed) are not asked: retention deletes up
// to the high watermark whatever transaction is open, and lag goes there as well, so that nothing
// that is served depends on them.
//
// # Sizes
//
// Bytes can be set against offsets only if it is known which offsets they are. So ends are read
// right before the log dirs; the poll's regular read of the ends comes right after, and then the
// log starts of the sized partitions once more: SizeRead.EndBefore and EndAfter are the two ends,
// LogStart is the poll's, and Still says that the second log start was the same. Partitions under
// retention.bytes are sized when they do not rest and when their log start has moved, all others,
// with the volumes, every SizesEvery; the costs are one DescribeLogDirs and two ListOffsets for each leader of such partitions. The
// leader's replica counts. Copies on their way to another log dir ("future") and Redpanda's
// "remote://" dirs are left out. A broker that refuses is asked again after ConfigsEvery; until
// then the refusal is a problem of every poll.
//
// # Settings
//
// A topic's settings are asked from each broker that holds a replica of it, because brokers fill in
// what the topic does not override from their own defaults, and each replica deletes by them.
// Topic.Settings keeps the answers of brokers that still hold a replica. An answer that lacks a
// setting which decides about deletion is an error of that topic: defaults are taken only for
// log.initial.task.delay.ms and remote.log.manager.task.interval.ms, which brokers show only
// sometimes, and for settings that matter at the margin (jitter, index sizes, delete delay,
// tiering).
//
// # Groups
//
// A broker lists the groups it coordinates, so coordinators need no look-up. All kinds but share
// groups are asked for committed offsets. Classic consumer groups, those of KIP-848 and streams
// groups (Kafka 4.2) are described when they are stable: Group.Assigned and Subscribed are what
// that said, and nil where nobody was asked. What cannot be described has its positions all the same.
//
// When offsets were committed no request tells. With OffsetsTopic it is read where coordinators keep
// them (package committed), beside what the poll asks first; Commit.At is known where the newest
// commits that were read have the position that OffsetFetch tells. Nothing is known of a partition
// before its end was reached once, which may take several polls, nor after READ was refused, which is
// asked about again after ConfigsEvery.
//
// Positions that are kept elsewhere are asked for beside the log starts (package positions). Where
// Kafka Connect has them, a client for each such topic sends one Fetch to each of its leaders in a
// poll, and Metadata each minute.
//
// Share groups are asked where they start (Kafka 4.1) and how many offsets from there on they have
// not finished with (4.2). A partition in which one has a state and has not started (-1) is assigned
// to it, without a position. On older brokers Group.Unsupported says that nothing tells.
package collector
