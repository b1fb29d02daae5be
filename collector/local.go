package collector

import (
	"fmt"
	"time"

	"kafka-retention-exporter/collector/disk"
	"kafka-retention-exporter/model"
)

// diskReader is the reader of the log dirs that are named, nil where none are.
func diskReader(c Config) *disk.Reader {
	if len(c.LogDirs) == 0 {
		return nil
	}
	return disk.NewReader(c.LogDirs...)
}

// readLocal reads the log dirs of the broker on this machine. Those of another cluster are a slip
// that would be worse than nothing.
func (p *poll) readLocal() {
	if p.c.disk == nil {
		return
	}
	at := p.now()
	served := make(map[model.PartitionKey]model.Offset, len(p.parts))
	for key, part := range p.parts {
		served[key], _ = part.LogStart.Get()
	}
	p.c.disk.Serves(served)
	found, problems := p.c.disk.Read(time.Now())
	for _, one := range problems {
		p.problems.addCause(one.Stage, one.Cause, one.Detail, about{count: one.Count})
	}
	if p.clusterID != "" && found.ClusterID != "" && found.ClusterID != p.clusterID {
		p.problems.addCause(model.StageLogDirs, "other_cluster", fmt.Sprintf("the log dirs are of cluster %s, not %s", found.ClusterID, p.clusterID), about{})
		return
	}
	if found.ClusterID != "" {
		p.compareLocal(found, at)
		p.local = model.ReadAt(found, at)
	}
}

// keepLed drops what the broker on this machine does not lead: beside each broker runs one of us,
// and each asks only for its own.
func (p *poll) keepLed() {
	local, ok := p.local.Get()
	if !ok || p.c.config.AllLeaders {
		return
	}
	deleteIf(p.parts, func(key model.PartitionKey) bool { return p.parts[key].Leader != local.ID })
	p.keys = nil
}
