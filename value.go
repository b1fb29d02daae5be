package main

import "fmt"

// namedValue is a flag value for kingpin whose errors say which setting they are about: the
// library's own do not.
type namedValue struct {
	name, text string
	parse      parsing
}

// Set takes the flag's text.
func (v *namedValue) Set(text string) error {
	v.text = text
	if err := v.parse(text); err != nil {
		return fmt.Errorf("%s: %w", v.name, err)
	}
	return nil
}

// String is the text that was set last.
func (v *namedValue) String() string { return v.text }
