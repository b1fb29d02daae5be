// Package sidecar holds what is forecast from a broker's own files against what that broker does,
// beside the forecasts of a watch that sees only its API.
package sidecar
