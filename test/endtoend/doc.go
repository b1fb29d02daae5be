// Package endtoend runs the program as an operator does, from its own binary, against real
// brokers, and reads what it serves. Program starts it; its pages are checked against the
// invariants of the metric contract on every read.
package endtoend
