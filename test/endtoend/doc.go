// Package endtoend runs the program as an operator does, from its own binary, against real
// brokers, and reads what it serves. Start runs it as a Program; each scrape of its metrics is
// checked against the invariants of the metric contract. What happens when something fails is in
// package faults, logins and rights are in package security.
package endtoend
