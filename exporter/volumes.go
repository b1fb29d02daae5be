package exporter

import (
	"strconv"

	"kafka-retention-exporter/advice"
)

var (
	volumeFree = gauge("volume_free_bytes",
		"Free bytes of the volume under a log dir. Absent before Kafka 3.3 and without the right to read log dirs.", "broker", "dir")
	volumeFull = gauge("volume_full_timestamp_seconds",
		"When the volume under a log dir will be full before retention frees it, each log growing up to its own limit; +Inf if never.", "broker", "dir")
)

func volumeFamilies() []*family { return []*family{volumeFree, volumeFull} }

// sendVolumes sends what brokers told of their log dirs.
func (v *view) sendVolumes(out samples) {
	for _, vol := range v.volumes {
		free, ok := vol.Free.Get()
		if !ok || !v.current(vol) {
			continue
		}
		labels := labelled("broker", strconv.Itoa(int(vol.Broker)), "dir", labelValue(vol.Dir))
		out.number(volumeFree, float64(free), labels)
		out.instant(volumeFull, vol.Full, labels)
	}
}

// current tells whether a volume was read lately, or need not be read again yet while its broker
// answers.
func (v *view) current(vol advice.Volume) bool {
	heard, ok := v.snapshot.Brokers[vol.Broker].LastAnswer.At()
	waiting := ok && v.fresh.since(heard) && v.fresh.since(vol.Read.Add(v.fresh.sizes))
	return v.fresh.since(vol.Read) || waiting
}
