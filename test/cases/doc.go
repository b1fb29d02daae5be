// Package cases shows on a real broker the worked cases of the broker's rules that only a running
// cluster can show: restarts, transactions, the group coordinator, ListOffsets, replicas. Each
// subtest is named by its case; model/CASES.md lists them all, with those that are pure
// arithmetic and live beside the model.
//
// Times are compressed. Where a case says "not before", the test holds the earliest instant at which
// it was seen against the rule; that it happens at all is waited for.
package cases
