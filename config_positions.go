package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"kafka-retention-exporter/collector/positions"
)

const positionsKey = "positions"

// takePositions takes the list of sources of positions out of the file's mapping, so that what is
// left are flags.
func takePositions(document *yaml.Node) (sources []positions.Source, err error) {
	for i := 0; document.Kind == yaml.MappingNode && i+1 < len(document.Content); i += 2 {
		key, list := document.Content[i], document.Content[i+1]
		if key.Value != positionsKey {
			continue
		}
		if list.Kind != yaml.SequenceNode {
			return nil, fmt.Errorf("line %d: %s: want a list", list.Line, positionsKey)
		}
		for _, item := range list.Content {
			source, err := positionSource(item)
			if err != nil {
				return nil, fmt.Errorf("line %d: %s: %w", item.Line, positionsKey, err)
			}
			sources = append(sources, source)
		}
		document.Content = slices.Delete(document.Content, i, i+2)
		return sources, nil // a second one is an unknown key
	}
	return nil, nil
}

// positionSource reads one entry.
func positionSource(n *yaml.Node) (positions.Source, error) {
	s := positions.Source{MaxAge: positions.DefaultMaxAge}
	if n.Kind != yaml.MappingNode {
		return s, errors.New("want a mapping with name, and file, url or connect-topic")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if value.Kind != yaml.ScalarNode || value.Tag == "!!null" || seen[key] {
			return s, fmt.Errorf("%s: want one value", key)
		}
		seen[key] = true
		if err := setSource(&s, key, value.Value); err != nil {
			return s, err
		}
	}
	return s, s.Validate()
}

// setConnect sets what is about a topic of Kafka Connect.
func setConnect(c *positions.Connect, key, value string) (err error) {
	switch key {
	case "connect-topic":
		c.Topic = value
	case "connector":
		c.Connector = value
	case "brokers":
		c.Brokers, err = parseList(value)
	case "cluster":
		c.Cluster = value
	case "topic-field":
		c.TopicField = value
	case "partition-field":
		c.PartitionField = value
	case "offset-field":
		c.OffsetField = value
	case "offset-is":
		if value != "last" && value != "next" {
			return fmt.Errorf("offset-is: want last or next, have %q", value)
		}
		c.Next = value == "next"
	default:
		return fmt.Errorf("unknown key %s", key)
	}
	return err
}

func setSource(s *positions.Source, key, value string) (err error) {
	switch key {
	case "name":
		s.Name = value
	case "file":
		s.File = value
	case "url":
		s.URL = value
	case "max-age":
		if s.MaxAge, err = time.ParseDuration(value); err != nil {
			return fmt.Errorf("max-age: %w", err)
		}
	default:
		if s.Connect == nil {
			s.Connect = positions.MirrorMaker()
		}
		return setConnect(s.Connect, key, value)
	}
	return nil
}
