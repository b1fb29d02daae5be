package alerts

import _ "embed" // for the example, which tests and examples/stack run

// ExampleConfig is the example for Alertmanager, alertmanager.example.yml.
//
//go:embed alertmanager.example.yml
var ExampleConfig string

// ExampleTemplate is its message template, which it names by the file alertmanager.example.tmpl.
//
//go:embed alertmanager.example.tmpl
var ExampleTemplate string
