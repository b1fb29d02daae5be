package main

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/test/docs"
)

// A broker that has just been started interprets what one that has been asked for a day has
// compiled, and a request costs it ten times as much. Settings are asked for once a minute: it would
// take a trial hours to get there. So each kind of request is sent many times before anything is
// measured, and what the first one cost and what the last ones did is kept.
const (
	warmingRequests = 100
	warmRequests    = 20 // those after them, that are measured
)

// requestCost is what one request for everything costs the broker, in milliseconds of its processors.
type requestCost struct {
	Name            string
	FirstMs, WarmMs float64
}

// warm sends all requests of the exporter, each for the whole cluster of that size.
func (b *bench) warm(ctx context.Context, s size) (costs []requestCost, err error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(b.cluster.address), kgo.BrokerMaxReadBytes(1<<30), kgo.DisableClientMetrics())
	if err != nil {
		return nil, err
	}
	defer client.Close()
	topics, err := kadm.NewClient(client).ListTopics(ctx)
	if err != nil {
		return nil, fmt.Errorf("list topics: %w", err)
	}
	broker := client.Broker(int(leaderOf(topics)))
	for _, one := range requestsOf(topics, s) {
		cost := requestCost{Name: one.name}
		send := func() error { _, err := broker.Request(ctx, one.request); return err }
		if cost.FirstMs, err = b.costOf(ctx, 1, send); err == nil {
			if err = repeat(warmingRequests, send); err == nil {
				cost.WarmMs, err = b.costOf(ctx, warmRequests, send)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, err)
		}
		costs = append(costs, cost)
	}
	return costs, nil
}

// costOf is the broker's processor time for each of n requests, less what it uses by itself before
// and after them.
func (b *bench) costOf(ctx context.Context, n int, send func() error) (float64, error) {
	around := b.pace.idle / 4
	readings := make([]reading, 0, 4)
	for i := range 4 {
		cpu, err := clockOf(b.cluster.pid)
		if err != nil {
			return 0, err
		}
		readings = append(readings, reading{time.Now(), cpu})
		switch i {
		case 0, 2:
			err = pause(ctx, around)
		case 1:
			err = repeat(n, send)
		}
		if err != nil {
			return 0, err
		}
	}
	idle := readings[1].cpu.sub(readings[0].cpu).add(readings[3].cpu.sub(readings[2].cpu))
	resting := readings[1].at.Sub(readings[0].at) + readings[3].at.Sub(readings[2].at)
	cost := less(readings[2].cpu.sub(readings[1].cpu), readings[2].at.Sub(readings[1].at), idle, resting, n)
	return cost.asked, nil
}

func repeat(n int, do func() error) error {
	for range n {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// named is a request for everything of a cluster.
type named struct {
	name    string
	request kmsg.Request
}

func requestsOf(topics kadm.TopicDetails, s size) []named {
	groups := kmsg.NewPtrOffsetFetchRequest()
	for g := range s.Groups {
		one := kmsg.NewOffsetFetchRequestGroup()
		one.Group = groupName(g)
		groups.Groups = append(groups.Groups, one)
	}
	settings := kmsg.NewPtrDescribeConfigsRequest()
	for _, t := range topics.Sorted() {
		one := kmsg.NewDescribeConfigsRequestResource()
		one.ResourceType, one.ResourceName, one.ConfigNames = kmsg.ConfigResourceTypeTopic, t.Topic, collector.TopicConfigNames()
		settings.Resources = append(settings.Resources, one)
	}
	committed := listOffsets(topics, -1)
	committed.IsolationLevel = 1
	return []named{
		{"ListGroups", kmsg.NewPtrListGroupsRequest()},
		{"OffsetFetch, all groups", groups},
		{"ListOffsets, ends", listOffsets(topics, -1)},
		{"ListOffsets, read-committed ends", committed},
		{"ListOffsets, log starts", listOffsets(topics, -2)},
		{"Metadata", kmsg.NewPtrMetadataRequest()},
		{"DescribeConfigs, all topics", settings},
		{"DescribeLogDirs", kmsg.NewPtrDescribeLogDirsRequest()},
	}
}

// listOffsets asks for one of the offsets that have a timestamp below zero, of every partition.
func listOffsets(topics kadm.TopicDetails, timestamp int64) *kmsg.ListOffsetsRequest {
	r := kmsg.NewPtrListOffsetsRequest()
	r.ReplicaID = -1
	for _, t := range topics.Sorted() {
		one := kmsg.NewListOffsetsRequestTopic()
		one.Topic = t.Topic
		for _, p := range t.Partitions.Sorted() {
			at := kmsg.NewListOffsetsRequestTopicPartition()
			at.Partition, at.Timestamp = p.Partition, timestamp
			one.Partitions = append(one.Partitions, at)
		}
		r.Topics = append(r.Topics, one)
	}
	return r
}

// leaderOf is the broker that leads everything, there being one.
func leaderOf(topics kadm.TopicDetails) (id int32) {
	topics.EachPartition(func(p kadm.PartitionDetail) { id = p.Leader })
	return id
}

func requestTable(costs []requestCost) string {
	var rows [][]string
	for _, c := range costs {
		rows = append(rows, []string{c.Name, fmt.Sprintf("%.0f", c.FirstMs), fmt.Sprintf("%.1f", c.WarmMs)})
	}
	return docs.Table([]string{"request", "the first", "after a hundred"}, rows)
}
