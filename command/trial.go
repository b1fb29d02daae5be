package command

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"gopkg.in/yaml.v3"

	"kafka-retention-exporter/advice"
)

// Trial is a topic with the settings to try on it.
type Trial struct {
	Topic   string
	Changes []advice.Change
}

// NewTrial reads settings written as name=value. There must be at least one.
func NewTrial(topic string, settings []string) (Trial, error) {
	t := Trial{Topic: topic}
	if topic == "" {
		return t, errors.New("topic: want the name of a topic")
	}
	if len(settings) == 0 {
		return t, fmt.Errorf("set: want a setting to try on %s, like retention.ms=3600000", topic)
	}
	changes, err := parse(settings)
	if err != nil {
		return t, err
	}
	t.Changes = changes
	return t, nil
}

func parse(settings []string) (changes []advice.Change, err error) {
	for _, text := range settings {
		c, err := advice.ParseChange(text)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// ReadTrials reads a YAML file that maps topics to settings and their values.
func ReadTrials(path string) ([]Trial, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read settings to try: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	var topics map[string]map[string]string
	if err := yaml.NewDecoder(file).Decode(&topics); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read settings to try from %s: %w", path, err)
	}
	var out []Trial
	for _, topic := range slices.Sorted(maps.Keys(topics)) {
		var settings []string
		for _, name := range slices.Sorted(maps.Keys(topics[topic])) {
			settings = append(settings, name+"="+topics[topic][name])
		}
		t, err := NewTrial(topic, settings)
		if err != nil {
			return nil, fmt.Errorf("read settings to try from %s: %w", path, err)
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("read settings to try from %s: no topic in it", path)
	}
	return out, nil
}
