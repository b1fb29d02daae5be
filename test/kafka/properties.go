package kafka

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// node is one broker's place in the cluster.
type node struct {
	id                int
	port, controlPort int
	data              string // log.dirs
	brokers           int    // in the cluster
	voters            string // controller.quorum.voters
	controls          bool
}

// voters lists the controllers: every broker, except in a cluster of two, where only the first one
// is, so that the second can be stopped without losing the quorum.
func voters(controlPorts []int) (list string, count int) {
	count = len(controlPorts)
	if count == 2 {
		count = 1
	}
	parts := make([]string, count)
	for i := range parts {
		parts[i] = fmt.Sprintf("%d@127.0.0.1:%d", i+1, controlPorts[i])
	}
	return strings.Join(parts, ","), count
}

// defaults are the properties of a broker in compressed time; Options overrides any of them.
func defaults(n node) map[string]string {
	roles, listeners := "broker", fmt.Sprintf("PLAINTEXT://127.0.0.1:%d", n.port)
	if n.controls {
		roles, listeners = "broker,controller", listeners+fmt.Sprintf(",CONTROLLER://127.0.0.1:%d", n.controlPort)
	}
	replicas := strconv.Itoa(n.brokers)
	return map[string]string{
		"process.roles":                  roles,
		"node.id":                        strconv.Itoa(n.id),
		"controller.quorum.voters":       n.voters,
		"listeners":                      listeners,
		"advertised.listeners":           fmt.Sprintf("PLAINTEXT://127.0.0.1:%d", n.port),
		"controller.listener.names":      "CONTROLLER",
		"inter.broker.listener.name":     "PLAINTEXT",
		"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
		"log.dirs":                       n.data,

		// Internal topics live on every broker, so that a group outlives the stop of one.
		"offsets.topic.replication.factor":                 replicas,
		"offsets.topic.num.partitions":                     "6",
		"transaction.state.log.replication.factor":         replicas,
		"transaction.state.log.min.isr":                    "1",
		"transaction.state.log.num.partitions":             "3",
		"share.coordinator.state.topic.replication.factor": replicas,
		"share.coordinator.state.topic.min.isr":            "1",
		"share.coordinator.state.topic.num.partitions":     "3",

		// Time is compressed: a pass every second from half a second after start.
		"log.retention.check.interval.ms":  "1000",
		"log.initial.task.delay.ms":        "500",
		"log.cleaner.backoff.ms":           "1000",
		"log.segment.delete.delay.ms":      "500",
		"group.initial.rebalance.delay.ms": "0",

		"auto.create.topics.enable":      "false",
		"auto.leader.rebalance.enable":   "false",
		"num.network.threads":            "2",
		"num.io.threads":                 "4",
		"background.threads":             "4",
		"log.cleaner.dedupe.buffer.size": "16777216",
	}
}

// properties writes the merged maps, later ones winning, as a properties file in name order. A name
// that ends with a plus adds to the list that earlier maps give under the name without it.
func properties(layers ...map[string]string) string {
	merged := map[string]string{}
	for _, l := range layers {
		for k, v := range l {
			if name, adds := strings.CutSuffix(k, "+"); adds {
				k, v = name, merged[name]+","+v
			}
			merged[k] = v
		}
	}
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(merged)) {
		fmt.Fprintf(&b, "%s=%s\n", k, merged[k])
	}
	return b.String()
}
