// Command bench measures what the exporter costs: itself, the broker, and whoever scrapes it. The
// exporter is the program as it is built, the broker a real one or kfake in a process of its own,
// and beside both stands a floor: a program that sends the requests that nobody who wants to know
// the same can do without, decodes the answers and drops them.
//
//	go run ./test/bench                        # all trials, the table on standard output; 25 minutes
//	go run ./test/bench -only predictor        # what it holds and what a forecast costs, alone
//	go run ./test/bench -only '^kfake 2000'    # some of them, by name
//	go run ./test/bench -write                 # into RESULTS.md and results.json; rows not measured stay
//
// A trial fills a broker with topics of ten partitions whose records have stamps of the last 24
// hours, and groups without members that have committed somewhere in between; nothing moves from
// then on. It sends a real broker each kind of request a hundred times, as a day of polls would have
// done (warm.go), starts the exporter, lets it poll until it has looked up the record times, scrapes it once a poll as
// Prometheus does, and takes what the kernel has counted for both processes.
package main
