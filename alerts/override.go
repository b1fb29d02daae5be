package alerts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Override gives the pairs it matches thresholds of their own. What is not set is as in Options.
type Override struct {
	Group string `yaml:"group"` // regular expression for the whole name; empty matches all
	Topic string `yaml:"topic"`

	Used     *float64       `yaml:"used"`
	Warn     *time.Duration `yaml:"warn"`
	Page     *time.Duration `yaml:"page"`
	Severity Severity       `yaml:"severity"` // the alerts of these pairs are never more severe
	Owner    string         `yaml:"owner"`    // value of the label owner
}

// ReadOverrides decodes a file of overrides. A key it does not know is an error: a misspelt
// threshold would be a page that never comes.
func ReadOverrides(text []byte) ([]Override, error) {
	var file struct {
		Overrides []Override `yaml:"overrides"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("decode overrides: %w", err)
	}
	return file.Overrides, nil
}

func (v Override) validate() error {
	if v.Group == "" && v.Topic == "" {
		return errors.New("has neither group nor topic")
	}
	for _, pattern := range []string{v.Group, v.Topic} {
		if _, err := regexp.Compile("^(?:" + pattern + ")$"); err != nil {
			return err
		}
	}
	return v.Severity.validate()
}

// matchers is the selector for the series that the override matches. Prometheus anchors the
// expressions on both sides.
func (v Override) matchers() string {
	var m []string
	if v.Group != "" {
		m = append(m, "consumergroup=~"+strconv.Quote(v.Group))
	}
	if v.Topic != "" {
		m = append(m, "topic=~"+strconv.Quote(v.Topic))
	}
	return "{" + strings.Join(m, ", ") + "}"
}

// concerns tells whether the override can match series of this scope. Series of a whole group
// are its own only where the override is for all topics of the group.
func (v Override) concerns(s scope) bool {
	return s == scopePair || s == scopeGroup && v.Topic == ""
}
