package disk_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kafka-retention-exporter/collector/disk"
	"kafka-retention-exporter/model"
)

// logDir is a log dir of broker 7 in a folder of the test, written as a broker does.
type logDir struct {
	t    testing.TB
	path string
}

var topicID = model.TopicID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

func newLogDir(t testing.TB) *logDir {
	t.Helper()
	d := &logDir{t, t.TempDir()}
	d.write("meta.properties", []byte("#\n#Mon Nov 30 2026\nversion=1\nnode.id=7\ncluster.id=c-1\ndirectory.id=x\n"))
	return d
}

func (d *logDir) write(name string, text []byte) {
	d.t.Helper()
	path := filepath.Join(d.path, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// folder makes a partition's folder.
func (d *logDir) folder(name string) {
	d.t.Helper()
	d.write(name+"/partition.metadata", []byte("version: 0\ntopic_id: "+base64.RawURLEncoding.EncodeToString(topicID[:])+"\n"))
}

// record is a batch of one record.
type record struct {
	offset model.Offset
	stamp  model.Instant
}

const batchSize = 100

// batches are the records, each in a batch of 100 bytes of format 2.
func batches(records ...record) (log []byte) {
	for _, r := range records {
		b := make([]byte, batchSize)
		binary.BigEndian.PutUint64(b, uint64(r.offset))
		binary.BigEndian.PutUint32(b[8:], batchSize-12)
		b[16] = 2
		binary.BigEndian.PutUint64(b[27:], uint64(r.stamp))
		binary.BigEndian.PutUint64(b[35:], uint64(r.stamp))
		binary.BigEndian.PutUint32(b[57:], 1)
		log = append(log, b...)
	}
	return log
}

// times is a time index: one entry for each record that is newer than all before it.
func times(base model.Offset, records ...record) (index []byte) {
	newest := model.Instant(-1)
	for _, r := range records {
		if r.stamp > newest {
			newest = r.stamp
			index = binary.BigEndian.AppendUint64(index, uint64(r.stamp))
			index = binary.BigEndian.AppendUint32(index, uint32(r.offset-base))
		}
	}
	return index
}

// segment writes a closed segment; allocated fills its time index up with zeros, as that of an
// active one.
func (d *logDir) segment(folder string, base model.Offset, allocated int, records ...record) {
	d.t.Helper()
	name := fmt.Sprintf("%s/%020d", folder, base)
	d.write(name+".log", batches(records...))
	d.write(name+".timeindex", append(times(base, records...), make([]byte, 12*allocated)...))
	d.write(name+".index", make([]byte, 8*allocated))
}

// read reads all, long after everything was written.
func (d *logDir) read(r *disk.Reader) model.LocalBroker {
	d.t.Helper()
	broker, problems := r.Read(time.Now().Add(time.Hour))
	for _, p := range problems {
		d.t.Errorf("problem %+v", p)
	}
	return broker
}

func (d *logDir) reader() *disk.Reader { return disk.NewReader(d.path) }
