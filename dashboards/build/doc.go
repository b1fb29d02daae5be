// Command build writes the Grafana dashboards of this repository: go run . in this folder, and
// commit what changed. A test compares the files with what the program makes.
//
// It is a module of its own so that the Grafana SDK, which takes longer to build than everything
// else together, is no dependency of the exporter.
//
// # What the queries keep to
//
//   - Replicas of the exporter are merged: minimum of instants and time left, maximum of
//     everything else, and always by kafka_cluster, so that clusters stay apart. Instants are never
//     averaged or added: one +Inf ("no loss in sight") would swallow all the others.
//   - An absent series is unknown. Nothing here turns it into a number that looks healthy.
//   - +Inf has a text of its own in tables and figures, and is left out of charts, whose axis it
//     would take with it.
//
// # Two kinds of range
//
// "Group and partition" has a range that reaches into the future, because its chart draws the
// forecast forward (forward.go). Panels that show the present there have a range of their own.
package main
