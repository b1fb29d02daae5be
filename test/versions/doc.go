// Package versions holds the exporter to full function on every release of Kafka that it names:
// in-process brokers that answer like old ones, and real brokers that delete.
package versions
