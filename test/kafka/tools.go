package kafka

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Tools returns a folder with Kafka's own command line programs of DefaultVersion, under the names
// they have in a distribution (kafka-acls.sh, ...). With it in PATH, commands run as documentation
// prints them. It is gone with the test.
func Tools(t testing.TB) (folder string) {
	t.Helper()
	Require(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	folder = t.TempDir()
	if err := writeTools(ctx, folder); err != nil {
		t.Fatalf("prepare kafka's tools: %v", err)
	}
	return folder
}

// writeTools writes the scripts. The tools need two jars beside those of a broker: their own, and
// what reads and writes the files of offset resets.
func writeTools(ctx context.Context, folder string) error {
	own, err := jars(ctx, DefaultVersion)
	if err != nil {
		return err
	}
	tools, err := extraJars(ctx, []string{
		"org.apache.kafka:kafka-tools:" + DefaultVersion + ":jar",
		"com.fasterxml.jackson.dataformat:jackson-dataformat-csv:2.21.7:jar",
	})
	if err != nil {
		return err
	}
	var all []string
	for _, dir := range append([]string{own}, tools...) {
		all = append(all, filepath.Join(dir, "*"))
	}
	classPath := strings.Join(all, string(os.PathListSeparator))
	log := logging(DefaultVersion)
	logFile := filepath.Join(folder, log.file)
	quiet := strings.ReplaceAll(log.text, "INFO", "WARN")
	if err := os.WriteFile(logFile, []byte(quiet), 0o644); err != nil {
		return err
	}
	for script, main := range map[string]string{
		"kafka-acls.sh":            "AclCommand",
		"kafka-configs.sh":         "ConfigCommand",
		"kafka-consumer-groups.sh": "consumer.group.ConsumerGroupCommand",
		"kafka-delete-records.sh":  "DeleteRecordsCommand",
		"kafka-get-offsets.sh":     "GetOffsetShell",
		"kafka-log-dirs.sh":        "LogDirsCommand",
		"kafka-topics.sh":          "TopicCommand",
	} {
		text := fmt.Sprintf("#!/bin/sh\nexec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 %q -cp %q org.apache.kafka.tools.%s \"$@\"\n",
			log.flag+logFile, classPath, main)
		if err := os.WriteFile(filepath.Join(folder, script), []byte(text), 0o755); err != nil {
			return err
		}
	}
	return nil
}
