package alerts

import (
	"fmt"
	"io"
	"os"
)

// Formats that Command can write.
const (
	FormatPrometheus = "prometheus" // a rule file
	FormatKubernetes = "kubernetes" // a PrometheusRule
)

// Command is what the subcommand rules of the program does.
type Command struct {
	Options
	OverridesFile string // of ReadOverrides; none if empty
	Format        string
}

// Run writes the rules to out, or nothing if it fails.
func (c Command) Run(out io.Writer) error {
	if c.OverridesFile != "" {
		text, err := os.ReadFile(c.OverridesFile)
		if err != nil {
			return fmt.Errorf("read overrides: %w", err)
		}
		if c.Overrides, err = ReadOverrides(text); err != nil {
			return fmt.Errorf("%s: %w", c.OverridesFile, err)
		}
	}
	render, ok := map[string]func(Options) ([]byte, error){FormatPrometheus: Render, FormatKubernetes: RenderKubernetes}[c.Format]
	if !ok {
		return fmt.Errorf("format: %q is not %s or %s", c.Format, FormatPrometheus, FormatKubernetes)
	}
	text, err := render(c.Options)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("write rules: %w", err)
	}
	return nil
}
