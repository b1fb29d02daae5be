package alerts

import "fmt"

// Severity is the label that routing goes by: critical wakes people, warning is for the day,
// info is for reading.
type Severity string

// The severities, and none, which leaves a rule's own.
const (
	Info     Severity = "info"
	Warning  Severity = "warning"
	Critical Severity = "critical"
)

func (s Severity) rank() int {
	return map[Severity]int{Info: 1, Warning: 2, Critical: 3}[s]
}

func (s Severity) validate() error {
	if s != "" && s.rank() == 0 {
		return fmt.Errorf("severity: %q is not info, warning or critical", string(s))
	}
	return nil
}

// atMost is the severity under a ceiling; an empty ceiling is none.
func (s Severity) atMost(ceiling Severity) Severity {
	if ceiling != "" && s.rank() > ceiling.rank() {
		return ceiling
	}
	return s
}
