package docs

import (
	"fmt"
	"strings"
)

// Table prints rows as a Markdown table. A "|" in a cell is escaped, a line break becomes a space.
func Table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			c = strings.ReplaceAll(strings.ReplaceAll(c, "\n", " "), "|", `\|`)
			b.WriteString("| " + c + " ")
		}
		b.WriteString("|\n")
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// Place is a text between the markers of the given name, for Replace to replace.
func Place(name, text string) string {
	begin, end := markers(name)
	return begin + text + end + "\n"
}

// Part is the text between the markers of the given name, none where they are missing.
func Part(document, name string) string {
	begin, end := markers(name)
	_, rest, _ := strings.Cut(document, begin)
	text, _, _ := strings.Cut(rest, end)
	return text
}

func markers(name string) (begin, end string) {
	return "<!-- generated: " + name + " -->\n", "<!-- end of " + name + " -->"
}

// Replace puts text between the markers of the given name in a Markdown document.
func Replace(document, name, text string) (string, error) {
	begin, end := markers(name)
	before, rest, ok := strings.Cut(document, begin)
	if !ok {
		return "", fmt.Errorf("find table %s: no line %q", name, strings.TrimSpace(begin))
	}
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("find end of table %s: no %q", name, end)
	}
	return before + begin + text + end + after, nil
}
