package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kingpin/v2"
	"gopkg.in/yaml.v3"

	"kafka-retention-exporter/collector/positions"
)

// load reads flags and, where they name one, the configuration file. done is true when the
// command line only asked for help or the version, which is then printed.
func load(args []string, out io.Writer) (s *settings, done bool, err error) {
	c := newCommand(out)
	c.selected, err = c.app.Parse(args)
	if c.done || err != nil || c.configFile == "" {
		return &c.settings, c.done, err
	}
	given, err := flagsIn(c.app, args)
	if err != nil {
		return nil, false, err
	}
	fromFile, err := readConfig(c.configFile, given)
	if err != nil {
		return nil, false, err
	}
	both := newCommand(out)
	both.positions = fromFile.positions
	both.selected, err = both.app.Parse(append(fromFile.args, args...))
	return &both.settings, false, err
}

// flagsIn names the flags that are set on the command line.
func flagsIn(app *kingpin.Application, args []string) (names []string, err error) {
	context, err := app.ParseContext(args)
	if err != nil {
		return nil, err
	}
	for _, element := range context.Elements {
		if flag, ok := element.Clause.(*kingpin.FlagClause); ok {
			names = append(names, flag.Model().Name)
		}
	}
	return names, nil
}

// fileSettings is what a configuration file says.
type fileSettings struct {
	args      []string // flags that mean the same
	positions []positions.Source
}

// readConfig turns a YAML file into the flags that mean the same, so that both are parsed and
// checked by the same code. Flags that are given already are left out: they win. What has no flag
// is a list of mappings.
func readConfig(path string, given []string) (s fileSettings, err error) {
	file, err := os.Open(path)
	if err != nil {
		return s, fmt.Errorf("read configuration: %w", err)
	}
	defer func() { _ = file.Close() }()
	document, err := readDocument(file)
	if err != nil || document == nil {
		return s, named(path, err)
	}
	if s.positions, err = takePositions(document); err != nil {
		return s, named(path, err)
	}
	s.args, err = flagsOf(path, document, given)
	return s, err
}

// named puts the file before an error.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

func flagsOf(path string, document *yaml.Node, given []string) (args []string, err error) {
	entries, err := readEntries(document)
	if err != nil {
		return nil, named(path, err)
	}
	for _, e := range entries {
		flags, err := e.flags()
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, e.line, err)
		}
		if !slices.Contains(given, e.key) {
			args = append(args, flags...)
		}
	}
	return args, nil
}

// entry is one setting of the file. Its key is the flag's name: the keys on the way to it,
// joined by dots.
type entry struct {
	key    string
	values []string // more than one for a list
	line   int
}

// readDocument reads the one document that the file may hold; nil if it is empty.
func readDocument(r io.Reader) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(r)
	var document, more yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one YAML document")
	}
	return document.Content[0], nil
}

// readEntries flattens the mapping.
func readEntries(document *yaml.Node) ([]entry, error) {
	var entries []entry
	if err := flatten("", document, &entries); err != nil {
		return nil, err
	}
	return entries, checkTwice(entries)
}

func flatten(key string, n *yaml.Node, out *[]entry) error {
	switch {
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := strings.TrimPrefix(key+"."+n.Content[i].Value, ".")
			if err := flatten(name, n.Content[i+1], out); err != nil {
				return err
			}
		}
		return nil
	case key == "":
		return fmt.Errorf("line %d: want a mapping of settings", n.Line)
	case n.Kind == yaml.ScalarNode && n.Tag != "!!null":
		*out = append(*out, entry{key, []string{n.Value}, n.Line})
		return nil
	case n.Kind == yaml.SequenceNode:
		e := entry{key: key, line: n.Line}
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return fmt.Errorf("line %d: %s: want a list of plain values", item.Line, key)
			}
			e.values = append(e.values, item.Value)
		}
		*out = append(*out, e)
		return nil
	}
	return fmt.Errorf("line %d: %s: want a value", n.Line, key)
}

func checkTwice(entries []entry) error {
	first := map[string]int{}
	for _, e := range entries {
		if line, ok := first[e.key]; ok {
			return fmt.Errorf("line %d: %s: set already in line %d", e.line, e.key, line)
		}
		first[e.key] = e.line
	}
	return nil
}

// flags are the flags that mean the same as the entry, parsed once on their own so that an
// error can name the line.
func (e entry) flags() ([]string, error) {
	scratch := newCommand(io.Discard)
	flag := scratch.app.GetFlag(e.key)
	if flag == nil || slices.Contains([]string{"config.file", "config.check", "help", "version"}, e.key) {
		return nil, fmt.Errorf("unknown key %s", e.key)
	}
	args, err := e.arguments(flag.Model())
	if err != nil {
		return nil, err
	}
	if _, err := scratch.app.Parse(args); err != nil {
		return nil, namedError(e.key, err)
	}
	return args, nil
}

func (e entry) arguments(flag *kingpin.FlagModel) ([]string, error) {
	if flag.IsBoolFlag() {
		return e.boolean()
	}
	if e.key == "kafka.brokers" {
		return []string{"--" + e.key + "=" + strings.Join(e.values, ",")}, nil
	}
	repeated, ok := flag.Value.(interface{ IsCumulative() bool })
	if len(e.values) != 1 && !(ok && repeated.IsCumulative()) {
		return nil, fmt.Errorf("%s: want one value, not a list", e.key)
	}
	var args []string
	for _, v := range e.values {
		args = append(args, "--"+e.key+"="+v)
	}
	return args, nil
}

// boolean writes an entry the way kingpin knows switches: --key or --no-key.
func (e entry) boolean() ([]string, error) {
	switch strings.Join(e.values, ",") {
	case "true":
		return []string{"--" + e.key}, nil
	case "false":
		return []string{"--no-" + e.key}, nil
	}
	return nil, fmt.Errorf("%s: want true or false", e.key)
}

// namedError puts the key before an error that does not name it yet.
func namedError(key string, err error) error {
	if strings.HasPrefix(err.Error(), key) {
		return err
	}
	return fmt.Errorf("%s: %w", key, err)
}
