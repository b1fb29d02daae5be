// Package division runs several exporters that divide one real cluster among themselves
// (--cluster.group), kills one and adds one, and counts in every scrape who shows what.
package division
