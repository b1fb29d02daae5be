// Package tiered holds the exporter's forecasts against a real broker whose topics are tiered:
// Kafka 4.3.1, the newest that has a storage plug-in of its own on Maven Central, with its
// LocalTieredStorage. Segments are uploaded and expired every second.
package tiered
