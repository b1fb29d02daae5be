package exporter

var groupExpiry = gauge("group_offsets_expire_timestamp_seconds",
	"Earliest instant at which the coordinator may expire committed offsets of the group; +Inf while it cannot. Absent where the start of that clock, the group losing its members or its last commit, was not seen.", "consumergroup")

// offsetsExpiry sends when positions may go. It stands on how the group was last answered for.
func (v *view) offsetsExpiry(out samples) {
	if v.report == nil || v.snapshot == nil {
		return
	}
	for name, outlook := range ordered(v.report.Groups) {
		at, ok := v.snapshot.Groups[name].OffsetsRead.At()
		if ok && v.fresh.since(at) {
			out.instant(groupExpiry, outlook.OffsetsExpire, labelled("consumergroup", labelValue(name)))
		}
	}
}
