// Command demo shows the exporter at work without a Kafka: go run ./examples/demo
//
// It shows the world of examples/world: one minute of retention in segments of six seconds, checked
// every two seconds. Of the four groups one keeps up, one is too slow, one stops before your eyes,
// and one had hung already and loses its next records within the first minute. What they do repeats
// until Ctrl-C or --duration ends it.
//
// The table in the terminal is made from the exporter's /api/v1/forecasts, and each loss is
// compared with what was forecast 30 seconds before it.
package main
