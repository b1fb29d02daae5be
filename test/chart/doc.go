// Package chart lints and renders the Helm chart in examples/kubernetes/chart with Helm's own
// packages, decodes what comes out into Kubernetes' types, and shows for every value that it gets
// there.
//
// It is a module of its own, for Helm is no dependency of the exporter.
package chart
