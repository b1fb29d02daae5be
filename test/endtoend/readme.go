package endtoend

import (
	"os"
	"strings"
	"testing"
)

// Readme is the text of README.md.
func Readme(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Commands are the commands that a text shows in its console blocks, without the prompt and the
// remark behind them.
func Commands(text string) (commands []string) {
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			inside = !inside && line == "```console"
			continue
		}
		if command, ok := strings.CutPrefix(line, "$ "); ok && inside {
			command, _, _ = strings.Cut(command, " # ")
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	return commands
}
