// Package memory keeps what package predictor learned in a file, so that a restart of the program
// does not forget it.
//
// # The file
//
// Lines of JSON. The first says what the file is:
//
//	{"format":"kafka-retention-exporter memory","version":1,"cluster":"...","at":1700000000000}
//
// Each other line is one thing remembered, with its kind (k), its value (v) and the CRC-32C of the
// bytes of both (c). The last line is of the kind "end" and counts the others. So a line that
// is damaged costs only what it held, and a file that was cut off only what followed. Kinds that
// are not known are passed over. A file of a later version is not read at all; one of an earlier
// version is: a field that it lacks is as if it had not been learned.
//
// A file is written beside the old one, forced to the disk and then renamed over it: there is
// always a whole one, the old or the new.
package memory
