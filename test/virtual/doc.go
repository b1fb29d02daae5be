// Package virtual plays days of a cluster in virtual time, in seconds: collector, predictor and
// exporter as they are put together in the program, against test/fakebroker in a testing/synctest
// bubble. What a poll cannot see in a test of minutes happens here as in production: day and night,
// weekends, jobs that run once a night and miss a night, an exporter that is restarted every day
// and has its state file, and a clock that is off.
//
// The short form plays a week with polls four minutes apart; with KRE_FULL=1 they are 30 s apart.
package virtual
