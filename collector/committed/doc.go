// Package committed keeps when groups committed, as the topic of their coordinators tells
// (__consumer_offsets), whose records hold an instant that no request gives: a commit's own, by
// which the coordinator lets it expire.
//
// Only offset commits are looked into, keys of version 0 and 1 with values of version 0 to 4. What
// else coordinators keep there (members, assignments, the groups of KIP-848) is passed over by the
// version of its key. A record that cannot be decoded makes its pair unknown, not old.
//
// Of each pair no more than some newest commits are kept, the closer together the newer they are: enough
// to tell how it moves. Once that was told, two.
package committed
