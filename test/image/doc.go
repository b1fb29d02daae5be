// Package image holds the Dockerfile without a container engine: it parses the file as BuildKit
// does, runs the commands of its build stage on a copy of the sources, and starts the binary as the
// last stage would, as its user and with a root that nobody can write.
//
// It is a module of its own, for BuildKit's parser is no dependency of the exporter.
package image
