// Package invariants checks a scraped page of kafka_retention_* metrics against what must hold
// on every page, whatever the cluster does. Every test that has a page in its hands calls it.
//
// A Checker follows one exporter: it also compares with the pages it saw before (a counter never
// falls, the instant of a loss does not move). Check returns all that is wrong, not only the
// first finding.
package invariants
