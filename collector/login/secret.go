package login

import (
	"fmt"
	"os"
	"strings"
)

// secret is read at every login. Its errors are shown, so they do not hold it.
type secret func() (string, error)

// fromFile reads a secret from a file; the line end after it is not part of it.
func fromFile(path string) secret {
	return func() (string, error) {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("read secret: %w", err)
		}
		found := strings.TrimRight(string(text), "\r\n")
		if found == "" {
			return "", fmt.Errorf("read secret: %s is empty", path)
		}
		return found, nil
	}
}

// fromVariable reads a secret from an environment variable.
func fromVariable(name string, env Lookup) secret {
	return func() (string, error) {
		found, ok := env(name)
		if !ok || found == "" {
			return "", fmt.Errorf("read secret: no file is named, and the environment variable %s is not set", name)
		}
		return found, nil
	}
}
