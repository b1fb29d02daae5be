// Package faults does to real brokers what happens to them (they stop, freeze, move, differ, load and
// answer too much) while the program watches: what it keeps, what it withdraws, and when all is whole again.
// The table of it is docs/faults.md.
package faults
