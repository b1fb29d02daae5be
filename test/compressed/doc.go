// Package compressed plays a day of consumers and accidents in minutes on a real broker, lets the real
// exporter forecast through it, and has the scorer of the back-test judge what was said.
//
//	KRE_BROKER=1 go test ./test/compressed             # three minutes
//	KRE_BROKER=1 KRE_FULL=1 go test -timeout 60m -parallel 3 ./test/compressed -update   # three long runs, into predictor/BACKTEST.md
//
// Package scenario sets the stage (Compressed) and records the truth. The exporter's loop runs in this
// process (watch.go), with the collector and the predictor that the program has, and what it saw and said
// is kept at every poll. Broker and exporter are restarted once each. Afterwards each pair becomes
// episodes of package track (episodes.go): one begins when a group is back on the log after a loss, or
// when somebody helped it; and each poll is labelled with what the log start then did (truth.go).
package compressed
