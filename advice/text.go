package advice

import (
	"fmt"

	"kafka-retention-exporter/model"
)

// lasting prints a duration in one unit that people use for it.
func lasting(d model.Millis) string {
	s := float64(d) / 1000
	switch {
	case d < 1000:
		return fmt.Sprintf("%d ms", d)
	case s < 120:
		return fmt.Sprintf("%.4g s", s)
	case s < 2*3600:
		return fmt.Sprintf("%.4g min", s/60)
	case s < 48*3600:
		return fmt.Sprintf("%.4g h", s/3600)
	}
	return fmt.Sprintf("%.4g days", s/86400)
}

// sized prints bytes in a binary unit.
func sized(b model.Bytes) string {
	v := float64(b)
	for _, unit := range []string{"bytes", "KiB", "MiB", "GiB", "TiB"} {
		if v < 1024 {
			return fmt.Sprintf("%.4g %s", v, unit)
		}
		v /= 1024
	}
	return fmt.Sprintf("%.4g PiB", v)
}

// setTopic is the command line that sets topic settings.
func setTopic(topic, settings string) string {
	return "kafka-configs.sh --bootstrap-server \"$BOOTSTRAP\" --alter --entity-type topics --entity-name " + topic + " --add-config '" + settings + "'"
}

// unsetTopic is the command line that removes topic settings.
func unsetTopic(topic, names string) string {
	return "kafka-configs.sh --bootstrap-server \"$BOOTSTRAP\" --alter --entity-type topics --entity-name " + topic + " --delete-config " + names
}
