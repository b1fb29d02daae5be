// Package score judges alert rules by what became of the pairs they spoke of: a group on a
// partition each. Instants and spans in, figures out; it knows neither Prometheus nor Kafka.
//
//	fates := ... what became of every pair while nobody acted on any alert ...
//	alarms := score.Alarms{pair: score.Spans(instants, step)} // when a rule set fired
//	figures := score.Of(run, alarms, terms)
//
// # What is judged
//
// The unit is the episode: a pair that loses records, up to its first loss. A loss by something that
// nobody could foresee (DeleteRecords, a deleted topic) is none. An episode is recalled when the rules
// fire at some time between two horizons and the notice before the loss.
//
// A firing is a span in which at least one alert of the rule set fires for a pair. It is right when the
// first loss follows within two horizons of its begin, early when the loss follows later, false when
// none follows. What the run's end or an unforeseeable event leaves open is not judged. Firings after
// the first loss say what is known by then; they are counted apart.
//
// Precision is the share of right ones among the judged. Flaps are the firings of an episode beyond its
// first. The lead is the time from the begin of the firing that recalls an episode to its loss.
//
// Runs in compressed time are pooled at the scale of a retention of a day: terms and leads are in
// that scale.
package score
