package score

import "slices"

// states counts the polls at which the word for the pair was one that is right.
func (tr *trial) states() part {
	var states part
	for i := range tr.t.Polls {
		if right, judged := tr.stateRight(i); judged {
			states.den++
			if right {
				states.num++
			}
		}
	}
	return states
}

func (tr *trial) stateRight(i int) (right, judged bool) {
	p := &tr.t.Polls[i]
	state, ok := p.Said.State.Get()
	return ok && slices.Contains(p.States, state), len(p.States) > 0
}
