// Command demo shows the exporter at work without a Kafka: go run ./examples/demo
//
// It starts a cluster within the process (test/fakebroker), whose retention follows the broker's
// rules with time compressed: one minute of retention in segments of six seconds, checked every
// two seconds. Four groups read the one topic: one keeps up, one is too slow, one stops before
// your eyes, and one had hung already and loses its next records within the first minute. What
// they do repeats until Ctrl-C or --duration ends it.
//
// Collector, predictor and exporter are the program's own and are told nothing else than the
// addresses of the brokers. The table in the terminal is made from their /api/v1/forecasts, and
// each loss is compared with what was forecast 30 seconds before it.
package main
