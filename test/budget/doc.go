// Package budget holds the whole exporter, its loop included, to the requests it may cost a
// cluster: counted on the wire by API, on kfake in virtual time and on a real broker.
package budget
