package main

import (
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/test/docs"
)

var update = flag.Bool("update", false, "write the generated tables into README.md and alerts/README.md")

// TestReadmeTables compares the tables in README.md and alerts/README.md with the program: the
// metrics it announces and the commands and flags it knows.
func TestReadmeTables(t *testing.T) {
	for path, tables := range map[string]map[string]string{
		"README.md":        {"metrics": metricTable(), "flags": flagTable(), "commands": commandTable("")},
		"alerts/README.md": {"rules": commandTable(rulesCommand)},
	} {
		t.Run(path, func(t *testing.T) { checkTables(t, path, tables) })
	}
}

func checkTables(t *testing.T, path string, tables map[string]string) {
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := string(have)
	for name, table := range tables {
		if want, err = docs.Replace(want, name, table); err != nil {
			t.Fatal(err)
		}
	}
	if want == string(have) {
		return
	}
	if !*update {
		t.Fatalf("the tables in %s are not what the program says: run make docs", path)
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func metricTable() string {
	var rows [][]string
	for _, f := range exporter.Families() {
		rows = append(rows, []string{"`" + f.Name + "`", f.Type, codes(f.Labels), detail(f), f.Help})
	}
	return docs.Table([]string{"metric", "type", "labels", "at detail", "meaning"}, rows)
}

// detail is the least --metrics.detail at which a metric is served.
func detail(f exporter.Family) string {
	if f.FullOnly {
		return "full"
	}
	return "standard"
}

func flagTable() string {
	var rows [][]string
	for _, f := range newCommand(io.Discard).app.Model().Flags {
		if f.Hidden || strings.HasPrefix(f.Name, "help") {
			continue
		}
		rows = append(rows, []string{"`--" + f.Name + "`", codes(f.Default), f.Help})
	}
	return docs.Table([]string{"flag", "default", "meaning"}, rows)
}

// commandTable is of one command, or of all.
func commandTable(only string) string {
	var rows [][]string
	for _, c := range newCommand(io.Discard).app.Model().Commands {
		if only != "" && c.Name != only {
			continue
		}
		for _, f := range c.Flags {
			if !f.Hidden {
				rows = append(rows, []string{"`" + c.Name + " --" + f.Name + "`", codes(f.Default), f.Help})
			}
		}
	}
	return docs.Table([]string{"command and flag", "default", "meaning"}, rows)
}

func codes(words []string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, "`"+w+"`")
		}
	}
	return strings.Join(out, ", ")
}
