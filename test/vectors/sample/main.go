// Command sample replays the vector files of a folder and names those in which a log differs
// from Kafka's, one a line. It is the least program that can tell, because the planted mistakes
// are each compiled into one of their own. It exits 1 if a file differs.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kafka-retention-exporter/test/vectors/replay"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sample FOLDER")
		os.Exit(2)
	}
	differs, err := run(os.Args[1], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sample:", err)
		os.Exit(2)
	}
	if differs {
		os.Exit(1)
	}
}

func run(folder string, out io.Writer) (differs bool, err error) {
	files, err := replay.Files(folder)
	if err != nil {
		return false, err
	}
	if len(files) == 0 {
		return false, fmt.Errorf("replay %s: no vector files", folder)
	}
	for _, file := range files {
		_, err := replay.File(file, func(error) bool {
			fmt.Fprintln(out, filepath.Base(file))
			differs = true
			return false
		})
		if err != nil {
			return false, err
		}
	}
	return differs, nil
}
