package predictor

import "kafka-retention-exporter/model"

// common are settings that many partitions have alike: one copy serves all of them.
type common struct{ set *model.Settings }

// Get is the settings; ok is false where they are not known.
func (c common) Get() (set model.Settings, ok bool) {
	if c.set == nil {
		return model.Settings{}, false
	}
	return *c.set, true
}

// shelf is where the copies are.
type shelf map[model.Settings]*model.Settings

// take is the copy of some settings.
func (s shelf) take(m model.Maybe[model.Settings]) common {
	set, ok := m.Get()
	if !ok {
		return common{}
	}
	have := s[set]
	if have == nil {
		have = new(model.Settings)
		*have = set
		s[set] = have
	}
	return common{have}
}

// tidy starts anew where most copies can only be of settings that nobody has any more. Those who
// have theirs keep it until the next poll.
func (s shelf) tidy(topics int) {
	if len(s) > 2*topics+16 {
		clear(s)
	}
}
