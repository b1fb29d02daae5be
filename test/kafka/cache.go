package kafka

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pom lists the jars a broker needs, with every version but Kafka's own pinned.
//
//go:embed pom.xml
var pom []byte

// jars returns the folder that holds the jars of one Kafka version and lets Maven fill it the first
// time. Test binaries that run at the same time wait for each other at a file lock; the folder
// appears by a rename, so a broken download never looks complete. A changed pom resolves anew.
func jars(ctx context.Context, version string) (dir string, err error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", fmt.Errorf("make broker cache: %w", err)
	}
	unlock, err := lockFile(ctx, filepath.Join(cache, version+".lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	dir = filepath.Join(cache, version)
	if have, err := os.ReadFile(filepath.Join(dir, "pom.xml")); err == nil && bytes.Equal(have, pom) {
		return dir, nil
	}
	if err := resolve(ctx, cache, dir, version); err != nil {
		return "", fmt.Errorf("resolve kafka %s: %w", version, err)
	}
	return dir, nil
}

// resolve copies the jars of a version into a temporary folder and renames it to dir.
func resolve(ctx context.Context, cache, dir, version string) error {
	tmp, err := os.MkdirTemp(cache, version+".partial-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // gone already after the rename
	file := filepath.Join(tmp, "pom.xml")
	if err := os.WriteFile(file, pom, 0o644); err != nil {
		return err
	}
	mvn := exec.CommandContext(ctx, "mvn", "-q", "-B", "-f", file, "-P", logging(version).profile,
		"-Dkafka.version="+version, "dependency:copy-dependencies", "-DoutputDirectory="+tmp, "-DincludeScope=runtime")
	if out, err := mvn.CombinedOutput(); err != nil {
		return fmt.Errorf("run mvn dependency:copy-dependencies: %w\n%s", err, bytes.TrimSpace(out))
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}

// cacheDir is $KRE_CACHE/kafka, or .cache/kafka beside the module's go.mod.
func cacheDir() (string, error) {
	if dir := os.Getenv("KRE_CACHE"); dir != "" {
		return filepath.Join(dir, "kafka"), nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find broker cache: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, ".cache", "kafka"), nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("find broker cache: no go.mod above the working directory; set KRE_CACHE")
		}
		dir = up
	}
}

// logSetup is how a version's broker is told to log to its console.
type logSetup struct {
	profile string // of pom.xml
	file    string
	flag    string // JVM property that names the file
	text    string
}

// What is silenced is a line per file of every segment; UnifiedLog still says which segment goes and why.

// logging picks the logging library: log4j 1 up to Kafka 3, log4j 2 from Kafka 4 (KIP-653).
func logging(version string) logSetup {
	if strings.HasPrefix(version, "3.") {
		return logSetup{profile: "reload4j", file: "log4j.properties", flag: "-Dlog4j.configuration=file:", text: `
log4j.rootLogger=INFO, out
log4j.logger.org.apache.kafka.common.config.AbstractConfig=WARN
log4j.logger.org.apache.kafka.storage.internals.log.LogSegment=WARN
log4j.logger.org.apache.kafka.storage.internals.log.LocalLog=WARN
log4j.logger.org.apache.kafka.storage.internals.log.SnapshotFile=WARN
log4j.logger.org.apache.kafka.storage.internals.log.ProducerStateManager=WARN
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d %p %m (%c)%n
`}
	}
	return logSetup{profile: "log4j2", file: "log4j2.properties", flag: "-Dlog4j2.configurationFile=file:", text: `
rootLogger.level = INFO
rootLogger.appenderRef.out.ref = out
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d %p %m (%c)%n
logger.config.name = org.apache.kafka.common.config.AbstractConfig
logger.config.level = WARN
logger.segment.name = org.apache.kafka.storage.internals.log.LogSegment
logger.segment.level = WARN
logger.local.name = org.apache.kafka.storage.internals.log.LocalLog
logger.local.level = WARN
logger.snapshot.name = org.apache.kafka.storage.internals.log.SnapshotFile
logger.snapshot.level = WARN
logger.producers.name = org.apache.kafka.storage.internals.log.ProducerStateManager
logger.producers.level = WARN
`}
}
