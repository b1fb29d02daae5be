// Package kinds shows on a real broker that groups of every kind are judged: by where they stand,
// by what they are assigned, and by what is deleted before they read it.
package kinds
