// Package names tells tests which metric names exist.
package names

import "kafka-retention-exporter/exporter"

// Served are the metrics of this version, with what a histogram is made of.
func Served() []string {
	var all []string
	for _, f := range exporter.Families() {
		all = append(all, series(f.Name, f.Type == "histogram")...)
	}
	return all
}

func series(metric string, histogram bool) []string {
	if !histogram {
		return []string{metric}
	}
	return []string{metric, metric + "_bucket", metric + "_sum", metric + "_count"}
}
