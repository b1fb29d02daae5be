// Package scenario compares forecasts with what a real broker then did. It plays producers, groups and accidents
// by a script on one cluster, samples the truth several times a second, keeps every forecast it is given
// and scores them afterwards. It knows nothing of who makes the forecasts.
//
//	c := kafkatest.Start(t, kafkatest.Options{})
//	stage := scenario.Set(t, c.Addresses(), scenario.Thirteen(time.Minute))
//	... start what is to be judged on c.Addresses() ...
//	records := stage.Run(scenario.Length(time.Minute), time.Second, func(now time.Time) []scenario.Forecast { ... })
//	scores := scenario.ScoreAll(records)
//	for _, promise := range scenario.Broken(scores) { t.Error(promise) }
//
// # The script
//
// A Scenario is one topic of one partition, named like the scenario: its settings, the History written before anything
// else with stamps of the past, so that deletion runs from the first second, a Producer, Groups and Events. All
// times are offsets from the moment Set returns. Thirteen are the scenarios of the first release, as
// data and as a function of the retention, so that the same script runs in a minute's retention or in
// ten seconds. Compressed are eleven of those and 27 more, drawn by a seed, for runs of several retentions: what
// test/compressed scores. More scenarios are more data; more kinds of accident are more constructors in
// actions.go and actions_group.go.
//
// Groups move at a pace in records a second and commit at an interval: Memberless ones by commits alone,
// Classic and Consumer ones (KIP-848) as members that really fetch, and that can be killed, restarted one
// after the other, or let go and come back. What drives them outlives a restart of the broker.
//
// # The records
//
// Run returns one Record a pair: what is expected of it, every commit with the instants between which it took
// effect, every move of the log start likewise, what happened to the topic, and the forecast of
// every poll. It holds data only, and Score is a function of it.
//
// # The score
//
// A forecast made at m of a position p is held against the first move of the log start beyond p after m (its
// label). Nothing is asked of it where an event that nobody can foresee (DeleteRecords, re-creation, change of
// settings) lies between m and the label. A floor is late when it is after the instant at which the log
// start was already seen beyond p. Broken lists in words which of the release's promises were not
// kept; its constants are in accept.go.
package scenario
