// Package fakebroker runs a Kafka cluster within the process whose log starts move by the
// broker's own rules. No Kafka and no Java are needed: the protocol, the records and the groups
// are kfake's (github.com/twmb/franz-go/pkg/kfake), and what is deleted when is decided by
// model.Log, since kfake's own retention is not Kafka's.
//
//	c, err := fakebroker.Start(ctx, fakebroker.Options{Brokers: 3, CheckInterval: time.Second})
//	defer c.Close()
//	err = c.CreateTopic(ctx, "orders", 1, map[string]string{"retention.ms": "60000", "segment.ms": "6000"})
//	first, err := c.Produce(ctx, "orders", 0, fakebroker.Record{Stamp: model.InstantOf(time.Now())})
//	err = c.Commit(ctx, "billing", "orders", 0, first)
//	change, lost := c.Passed(model.PartitionKey{Topic: "orders"}, first)
//
// # How it follows a broker
//
// Each partition has a model.Log beside kfake's. Before every pass, and whenever somebody looks,
// the batches that are new at the broker are read back and appended to the model, whoever
// produced them; so transactions and clients of any kind count, with the bytes that they have in
// the log. A pass runs over the model, and where that moves its log start the broker's records
// are deleted up to there. Passes of all brokers happen at the same instants: where the Unix
// time leaves the remainder Options.Phase when divided by Options.CheckInterval; those of
// compacted topics happen every log.cleaner.backoff.ms.
//
// DescribeConfigs answers all settings that concern retention, with Kafka's defaults, the
// broker's (Options.Configs) or the topic's, and where each comes from; a topic's settings may
// be altered by any client and rule from the next pass or look on. DescribeLogDirs tells of each
// broker what it leads, in the model's sizes: those of files, which DeleteRecords leaves as they are.
//
// # Truth
//
// Changes are all moves of a log start, with the instant of the pass that made them, and Passed
// tells when a position was lost. One that a client's DeleteRecords request made is stamped
// when it is noticed; Cluster.DeleteRecords stamps it exactly.
//
// # Virtual time
//
// With Options.Network set to a kfake.VirtualNetwork, cluster and clients run in a
// testing/synctest bubble, days in seconds. Clients find the way by ClientOptions, or by
// Addresses and Dial. All of them, and the cluster, are to be closed before the bubble ends.
//
// # What it leaves out
//
// Compaction, tiered storage, followers that lag, and restarts. Records keep their producer's
// stamp under LogAppendTime too. Settings of brokers cannot be altered while they run.
// Groups are kfake's: classic, KIP-848 and share groups, commits with and without members.
package fakebroker
