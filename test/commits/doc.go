// Package commits has tests of what the offsets topic tells of real brokers: when groups committed,
// when that expires, and how groups moved before the watch began.
package commits
