// Package soak lets the whole exporter watch a cluster for a virtual week in which topics and groups
// come and go, and holds its memory to what it watches, not to what it has ever seen.
package soak
