// Package layout tests which package may import which, with the go command's own list, so that
// the pipeline Kafka -> collector -> model -> predictor -> exporter stays one way.
package layout
