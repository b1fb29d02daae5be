package memory

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

const (
	format  = "kafka-retention-exporter memory"
	version = 1
)

// The kinds of lines.
const (
	kindPhase     = "phase"
	kindWidth     = "width"
	kindGroup     = "group"
	kindPartition = "partition"
	kindPair      = "pair"
	kindEnd       = "end"
)

// header is the first line.
type header struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Cluster string        `json:"cluster"`
	At      model.Instant `json:"at"`
}

// line is any other.
type line struct {
	Kind  string          `json:"k"`
	Sum   uint32          `json:"c"`
	Value json.RawMessage `json:"v"`
}

// checksum is CRC-32C of the kind and the value.
func checksum(kind string, value []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum([]byte(kind), table), table, value)
}

// Encode writes a memory.
func Encode(to io.Writer, m predictor.Memory) error {
	e := encoder{lines: json.NewEncoder(to)}
	e.lines.SetEscapeHTML(false)
	e.err = e.lines.Encode(header{format, version, m.Cluster, m.At})
	each(&e, kindPhase, m.Phases)
	each(&e, kindWidth, m.Widths)
	each(&e, kindGroup, m.Groups)
	each(&e, kindPartition, m.Partitions)
	each(&e, kindPair, m.Pairs)
	each(&e, kindEnd, []int{e.n})
	return e.err
}

type encoder struct {
	lines *json.Encoder
	n     int
	err   error
}

func each[T any](e *encoder, kind string, values []T) {
	for _, v := range values {
		if e.err != nil {
			return
		}
		var b []byte
		if b, e.err = json.Marshal(v); e.err == nil {
			e.err = e.lines.Encode(line{kind, checksum(kind, b), b})
		}
		e.n++
	}
}

// Save writes a memory to a file, as a whole or not at all.
func Save(path string, m predictor.Memory) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write memory: %w", err)
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
			err = fmt.Errorf("write memory: %w", err)
		}
	}()
	buffered := bufio.NewWriterSize(file, 1<<16)
	if err = Encode(buffered, m); err != nil {
		return err
	}
	if err = buffered.Flush(); err != nil {
		return err
	}
	if err = file.Sync(); err != nil {
		return err
	}
	if err = file.Close(); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder forces a rename to the disk.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	return folder.Sync()
}
