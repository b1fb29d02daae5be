// Package commits has tests of what the offsets topic tells of real brokers: when groups committed,
// when that expires (by the topic, and by what is seen without it), and how groups moved before the watch began.
package commits
