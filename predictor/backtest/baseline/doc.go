// Package baseline holds the rules of thumb that people use in place of a forecast, as code on
// what any exporter reads. Each is a small online function: polls go in one by one, in order, and
// out come an instant of loss, a page or both. Windows are shares of the retention R: where a rule
// is known with windows of minutes and hours, these are those of a retention of one day.
//
// Rules that reckon with the age of records know nothing where only bytes are limited, and then
// say nothing.
package baseline
