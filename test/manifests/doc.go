// Package manifests decodes the examples for Kubernetes and Compose into the types of those who
// read them, strictly, and checks what types cannot say: that selectors select, that ports and
// probes are the program's, that nothing runs as root or without limits.
//
// It is a module of its own, for Kubernetes' types are no dependency of the exporter.
package manifests
