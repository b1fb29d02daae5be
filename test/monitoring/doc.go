// Package monitoring runs what stands around the exporter in operation: Debian's prometheus and
// prometheus-alertmanager, with the shipped examples as their configuration, and the receiver at
// the end, which turns what Alertmanager sends into the words a person reads. All is on loopback.
// Tests and examples/stack start them in this one way.
//
// The configurations are the examples word by word, but for addresses and for waits: time here is
// compressed, and what waits five minutes in operation has to wait a second.
package monitoring
