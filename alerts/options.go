package alerts

import (
	"errors"
	"fmt"
	"time"
)

// Options are the thresholds that the rules are rendered for.
type Options struct {
	Warn     time.Duration // a loss nearer than this, or than half the retention, is a warning
	Page     time.Duration // nearer than this, or than a sixth of the retention, is critical
	Used     float64       // share of the retention that lag may use, above 0 and at most 1
	Scale    float64       // multiplies every duration of the rules, Warn and Page included
	Runbooks string        // where the pages of runbooks are, the beginning of runbook_url

	Overrides []Override // the first that matches wins
}

// Default is what the committed rule files are rendered for.
func Default() Options {
	return Options{
		Warn: 24 * time.Hour, Page: 4 * time.Hour, Used: 0.5, Scale: 1,
		Runbooks: "https://github.com/kafka-retention-exporter/kafka-retention-exporter/blob/main/alerts/runbooks",
	}
}

// Validate tells what is wrong with the options, named as the flags are.
func (o Options) Validate() error {
	switch {
	case o.Page <= 0:
		return fmt.Errorf("page: %s is not above 0", o.Page)
	case o.Warn < o.Page:
		return fmt.Errorf("warn: %s is less than page, %s", o.Warn, o.Page)
	case !(o.Used > 0 && o.Used <= 1):
		return fmt.Errorf("used: %v is not above 0 and at most 1", o.Used)
	case !(o.Scale > 0 && o.Scale <= 1000):
		return fmt.Errorf("scale: %v is not above 0 and at most 1000", o.Scale)
	case o.Runbooks == "":
		return errors.New("runbooks: is empty")
	}
	for i, v := range o.Overrides {
		if err := v.validate(); err != nil {
			return fmt.Errorf("overrides: entry %d: %w", i+1, err)
		}
		if err := o.with(v).Validate(); err != nil {
			return fmt.Errorf("overrides: entry %d: %w", i+1, err)
		}
	}
	return nil
}

// with is the options as an override changes them for what it matches.
func (o Options) with(v Override) Options {
	o.Overrides = nil
	if v.Warn != nil {
		o.Warn = *v.Warn
	}
	if v.Page != nil {
		o.Page = *v.Page
	}
	if v.Used != nil {
		o.Used = *v.Used
	}
	return o
}
