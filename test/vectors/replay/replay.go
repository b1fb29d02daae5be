package replay

import (
	"encoding/json"
	"fmt"

	"kafka-retention-exporter/model"
)

// Counts says how much was compared.
type Counts struct{ Logs, Steps, Passes int }

// Add adds what another part compared.
func (c *Counts) Add(o Counts) {
	c.Logs += o.Logs
	c.Steps += o.Steps
	c.Passes += o.Passes
}

// Line replays one vector. The error names the vector, the step and both states; a line that is
// no vector is an error too. What follows a difference is not counted.
func Line(line []byte) (Counts, error) {
	counts := Counts{Logs: 1}
	var v vector
	if err := json.Unmarshal(line, &v); err != nil {
		return counts, fmt.Errorf("decode vector: %w", err)
	}
	if len(v.Steps) == 0 || len(v.Steps) != len(v.After) {
		return counts, fmt.Errorf("vector %s: %d steps and %d states", v.Name, len(v.Steps), len(v.After))
	}
	p, err := begin(v)
	if err != nil {
		return counts, fmt.Errorf("vector %s: %w", v.Name, err)
	}
	for i, s := range v.Steps {
		if err := p.compare(s, v.After[i]); err != nil {
			return counts, fmt.Errorf("vector %s, step %d %s at %d: %w", v.Name, i, s.Op, s.Now, err)
		}
		counts.Steps++
		if s.Op == "pass" {
			counts.Passes++
		}
	}
	return counts, nil
}

// player is a replay under way.
type player struct {
	log     *model.Log
	current settings
	before  state
}

func begin(v vector) (*player, error) {
	release, err := model.ParseRelease(v.Kafka)
	if err != nil {
		return nil, err
	}
	var p player
	initial, err := p.current.apply(v.Config)
	if err != nil {
		return nil, err
	}
	p.log = model.NewLog(initial, v.Steps[0].Now)
	p.log.SetRelease(release)
	p.before, err = stateOf(p.log)
	return &p, err
}

// compare takes one step and compares the state after it with Kafka's.
func (p *player) compare(s step, kafka state) error {
	if err := p.take(s); err != nil {
		return fmt.Errorf("%w\nbefore %+v\nkafka  %+v", err, p.before, kafka)
	}
	got, err := stateOf(p.log)
	if err != nil {
		return err
	}
	if !got.equal(kafka) {
		return fmt.Errorf("states differ\nbefore %+v\nmodel  %+v\nkafka  %+v", p.before, got, kafka)
	}
	p.before = got
	return nil
}

// take performs one step; it fails also where a pass deleted another number of segments.
func (p *player) take(s step) error {
	switch s.Op {
	case "append":
		return p.append(s)
	case "hw":
		if s.HW == nil {
			return fmt.Errorf("no high watermark in the step")
		}
		p.log.SetHighWatermark(*s.HW)
	case "delete_records":
		return p.log.DeleteRecords(s.Offset)
	case "config":
		changed, err := p.current.apply(s.Set)
		if err != nil {
			return err
		}
		p.log.Configure(changed)
	case "reload":
		p.log.Reload(s.Now)
	case "pass":
		if result := p.log.Pass(s.Now); result.Deleted != s.Deleted {
			return fmt.Errorf("model deleted %d segments, kafka %d", result.Deleted, s.Deleted)
		}
	default:
		return fmt.Errorf("unknown step %q", s.Op)
	}
	return nil
}

func (p *player) append(s step) error {
	batch := model.Batch{Base: s.Base, Last: s.Last, Size: s.Bytes, MaxStamp: s.MaxTs, Stamped: s.MaxTs >= 0}
	if err := p.log.Append(s.Now, batch); err != nil {
		return err
	}
	if s.HW != nil {
		p.log.SetHighWatermark(*s.HW)
	}
	return nil
}
