// Package exporter is Prometheus and HTTP: it polls the cluster, lets the predictor forecast,
// publishes both as one immutable state, and serves that state until the next poll.
//
// It imports model, predictor, advice and answers and knows the cluster only through the interface Source, so
// that the loop is tested without Kafka and in virtual time.
//
// # One turn of the loop
//
// Runtime.Run polls at once and then every Config.PollInterval. A turn (run.go) reads a
// snapshot, shows it to the predictor, asks for record times for as long as the predictor has
// questions and the poll has time, and publishes snapshot and report together. A poll that
// overruns makes the loop skip; a poll that reached no broker is published as just that, and
// what was known before stays, until it is stale.
//
// # From state to page
//
// A state never changes. A view (view.go) is a state at the instant of serving: what its
// readings have become too old for is withdrawn (stale.go). Metrics, JSON and the status page
// are made from the same view; the first two at most once each (pages.go), and then served as bytes.
//
// # Unknown, none and lost
//
// An unknown value is an absent series, and a pair without a loss instant is counted in
// kafka_retention_forecasts_unknown by its reason. No loss in sight is +Inf. What is lost has
// its instant in the past. Nothing is ever NaN, -1 or a guessed 0.
//
// # HTTP
//
//	/metrics           text format or OpenMetrics, plain or gzip
//	/api/v1/forecasts  every pair with the inputs of its forecast, as JSON
//	/api/v1/check      every pair at risk (?within=24h), and the topic findings with their cures
//	/api/v1/whatif     what a change would delete: ?topic=T&set=retention.ms=1000&set=...&factor=2
//	                   (asks the leaders for record times; nothing else here waits for Kafka)
//	/api/v1/plan       what logs need once they have settled: ?topic=T&rate=bytes-per-second&set=...
//	/-/healthy         200 while the loop makes progress; a poll that failed in time is progress
//	/-/ready           200 once a poll that reached a broker has been published
//	/                  the status page: every pair, the soonest loss first; ?q= part of a name, ?group=, ?topic=,
//	                   ?state=, ?risk=lost|now|soon|unknown|safe, ?page= of 100 rows
//	/pair              one pair: ?group=G&topic=T&partition=P
//
// At most 64 pages and 8 questions (check, whatif, plan) are answered at the same time; one more is
// refused with 503. Nothing else is served, profiles neither.
//
// # The status page
//
// It is for people, and complete without a script (status.js refreshes it in place and filters as
// one types). A request sorts the pairs of a view at most once (status_list.go) and turns only
// the rows of one page into words (status_text.go, status_words.go), so that its size does not
// grow with the cluster. The page of a pair draws the log as the predictor believes it to be
// (status_log.go) and the race between log start and group (status_race.go), and says what it
// takes for granted (status_assume.go). How urgent a pair is follows the edges of the shipped
// alerts (status_risk.go). All links are relative: a proxy may serve it under a path of its own.
package exporter
