package exporter

import "kafka-retention-exporter/model"

var groupTold = gauge("group_positions_timestamp_seconds",
	"When positions that are kept outside the cluster (positions in the configuration) were true, as their source says; served however old they are.", "consumergroup").onlyFull()

// told sends how old the positions are that no group of the cluster has.
func (v *view) told(out samples) {
	if v.snapshot == nil || !v.informed() {
		return
	}
	for name, g := range ordered(v.snapshot.Groups) {
		if g.Kind == model.KindExternal {
			out.instant(groupTold, g.Told, labelled("consumergroup", labelValue(name)))
		}
	}
}
