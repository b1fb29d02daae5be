package main

import (
	"fmt"
	"strconv"
	"strings"
)

// jar is a Kafka release and the number of logs to compare with it.
type jar struct {
	version string
	logs    int
}

// parseJars reads a list like "4.4.0,4.3.1:5000".
func parseJars(list string, logs int) ([]jar, error) {
	var jars []jar
	for item := range strings.SplitSeq(list, ",") {
		if item == "" {
			continue
		}
		version, number, own := strings.Cut(item, ":")
		j := jar{version, logs}
		if own {
			n, err := strconv.Atoi(number)
			if err != nil {
				return nil, fmt.Errorf("read logs of jar %q: %w", item, err)
			}
			j.logs = n
		}
		if j.version == "" || j.logs < 1 {
			return nil, fmt.Errorf("read jar %q: neither a release nor a release:logs with at least one log", item)
		}
		jars = append(jars, j)
	}
	return jars, nil
}
