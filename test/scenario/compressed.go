package scenario

import (
	"cmp"
	"math"
	"math/rand"
	"slices"
	"strconv"
	"time"
)

// Compressed are scenarios of all kinds that a broker can have in minutes, at a retention of a minute or more: a day
// of traffic, of consumers and of accidents, many times as fast. What is drawn depends on the seed alone. Most
// accidents come once in the first one and a half retentions and again in every retention after that.
func Compressed(retention time.Duration, seed int64) []Scenario {
	b := beat{r: retention, every: max(retention/300, 100*time.Millisecond), commits: max(retention/120, 500*time.Millisecond), past: 1.3}
	c := chance{b, rand.New(rand.NewSource(seed))}
	some := []Scenario{
		b.stopped(), b.slow(), b.healthy(), b.idle(), b.size(), b.both(), b.appendTime(), b.backfill(), b.deleteRecords(), b.recreated(), b.noCommit(),
	}
	some = append(some, c.slopes()...)
	some = append(some, c.traffic()...)
	some = append(some, c.segments()...)
	some = append(some, c.settings()...)
	return append(some, c.readers()...)
}

// chance draws.
type chance struct {
	beat
	*rand.Rand
}

// rounds are how often an accident may come again.
const rounds = 6

// near is a share that differs from run to run.
func (c chance) near(share float64) float64 { return share * (0.95 + 0.1*c.Float64()) }

// stops is a group that stands still a while before the end and, once it has lost, is sent to the end,
// follows for a while and stands still again, every so many retentions.
func (c chance) stops(s Scenario, behind, every float64) Scenario {
	g := Group{Name: "stops", Kind: Memberless, Every: c.commits, Behind: c.of(c.near(behind)), Loses: true}
	s.Groups = append(s.Groups, g)
	every = c.near(every)
	for i := range rounds {
		at := every*float64(i+1) - 0.1
		s.Events = append(s.Events, Event{c.of(at), Reset(g.Name, true)}, Event{c.of(at), Pace(g.Name, Keep)}, Event{c.of(at + 0.25), Pace(g.Name, 0)})
	}
	s.Events = sorted(s.Events)
	return s
}

// reads is a group that reads at a share of the mean production, from so far behind, and goes on from the
// end when it has lost.
func (c chance) reads(s Scenario, name string, pace, behind float64) Scenario {
	return c.with(s, Group{Name: name, Pace: c.pace(c.near(pace)), Behind: c.of(c.near(behind)), ToEnd: true, Stuck: c.of(1.0 / 15), Loses: true})
}

func (c chance) slopes() []Scenario {
	half := c.reads(c.reads(c.timed("slow-50"), "first", 0.5, 0.6), "second", 0.5, 0.2)
	four := c.reads(c.reads(c.timed("slow-80"), "first", 0.8, 0.8), "second", 0.8, 0.6)
	most := c.reads(c.reads(c.timed("slow-95"), "first", 0.95, 0.93), "second", 0.95, 0.87)
	size := c.reads(c.reads(c.sized("slow-size", 0.95), "half", 0.5, 0.5), "most", 0.8, 0.7)
	fine, coarse := c.sized("fine-size", 0.9), c.sized("coarse-size", 0.9)
	fine.Configs["internal.segment.bytes"] = strconv.Itoa(int(float64(c.r/c.every) * recordBytes / 25))
	coarse.Configs["internal.segment.bytes"] = strconv.Itoa(int(float64(c.r/c.every) * recordBytes / 4))
	fine, coarse = c.reads(c.stops(fine, 0.4, 1.4), "slow", 0.6, 0.4), c.reads(c.stops(coarse, 0.3, 1.6), "slow", 0.7, 0.3)
	members := c.with(c.sized("members-size", 0.85), follower(Classic), follower(Consumer),
		Group{Name: "slow", Kind: Consumer, Pace: c.pace(0.7), Behind: c.of(0.5), Loses: true})
	return []Scenario{half, four, most, size, fine, coarse, members}
}

// waves is a day and a night in each part of the retention.
func (c chance) waves(day time.Duration, at func(phase float64) float64) func(time.Duration) int {
	return func(t time.Duration) int {
		phase := math.Mod(t.Seconds()/day.Seconds()+100, 1)
		// What a beat may not bring for being no whole record comes with one of the next.
		return int(math.Floor(at(phase) + float64(hashed(int64(t/c.every)))/math.MaxUint32))
	}
}

// hashed makes a number look drawn.
func hashed(n int64) uint32 {
	x := uint64(n)*0x9e3779b97f4a7c15 + 0x94d049bb133111eb
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return uint32(x >> 32)
}

// bursts are ten records at one beat in thirty, and one otherwise.
func (c chance) bursts() func(time.Duration) int {
	salt := c.Int63n(1 << 30)
	return func(t time.Duration) int {
		if hashed(int64(t/c.every)+salt)%30 == 0 {
			return 10
		}
		return 1
	}
}

func (c chance) traffic() []Scenario {
	sine := func(phase float64) float64 { return 1 + 0.8*math.Sin(2*math.Pi*phase) }
	night := func(phase float64) float64 {
		if phase < 0.35 {
			return 0
		}
		return 1.5
	}
	var all []Scenario
	for _, s := range []Scenario{c.timed("bursts"), c.sized("bursts-size", 1.2)} {
		s.Producer.Count = c.bursts()
		all = append(all, c.reads(c.stops(c.with(s, follower(Memberless)), 0.3, 1.5), "slow", 0.9, 0.6))
	}
	for _, s := range []Scenario{c.timed("sine"), c.sized("sine-size", 0.9)} {
		s.Producer.Count = c.waves(c.of(0.5), sine)
		all = append(all, c.reads(c.stops(c.with(s, follower(Memberless)), 0.4, 1.45), "slow", 0.7, 0.5))
	}
	idle := c.timed("night")
	idle.Producer.Count = c.waves(c.of(0.7), night)
	all = append(all, c.reads(c.stops(c.with(idle, follower(Memberless)), 0.4, 1.45), "slow", 0.6, 0.5))
	// A capacity between the mean and the peak of a day.
	peak := c.timed("capacity")
	peak.Producer.Count = c.waves(c.of(1), sine)
	return append(all, c.reads(peak, "mean", 1.1, 0.1), c.transactions())
}

// transactions has a marker after every record.
func (c chance) transactions() Scenario {
	s := c.timed("transactions")
	s.Producer.Transactional, s.Producer.Every = true, 2*c.every
	s.Groups = nil
	s = c.stops(c.with(s, follower(Memberless), follower(Classic)), 0.4, 1.45)
	return c.with(s, Group{Name: "slow", Pace: c.pace(0.7), Behind: c.of(0.3), ToEnd: true, Loses: true})
}

func (c chance) segments() []Scenario {
	giant, third, rolled := c.timed("giant"), c.timed("third"), c.timed("rolled-by-size")
	giant.Configs["segment.ms"] = millis(c.of(1.2))
	third.Configs["segment.ms"] = millis(c.of(1.0 / 3))
	delete(rolled.Configs, "segment.ms")
	rolled.Configs["internal.segment.bytes"] = strconv.Itoa(int(float64(c.r/c.every) * recordBytes / 12))
	var all []Scenario
	for _, s := range []Scenario{c.stops(giant, 0.3, 2.6), c.stops(third, 0.3, 1.7), c.stops(rolled, 0.3, 1.45)} {
		all = append(all, c.reads(s, "slow", 0.8, 0.7))
	}
	both := c.timed("compact-delete")
	both.Configs["cleanup.policy"] = "compact,delete"
	both.Producer.Every += 10 * time.Millisecond // else the stamps make few of the 16 keys
	return append(all, c.stops(c.with(both, follower(Memberless)), 0.3, 1.5))
}

func (c chance) settings() []Scenario {
	future := c.stops(c.with(c.timed("future"), follower(Memberless)), 0.5, 1.5)
	future.Events = sorted(append(future.Events, Event{c.of(0.4), StampAhead(c.of(0.4))}))
	raised := c.reads(c.stops(c.timed("raised"), 0.4, 1.9), "slow", 0.6, 0.4)
	raised.Events = sorted(append(raised.Events, Event{c.of(0.45), Configure(map[string]string{"retention.ms": millis(c.of(1.4))})}))
	lowered := c.reads(c.stops(c.timed("lowered"), 0.3, 1.4), "slow", 0.6, 0.4)
	lowered.Events = sorted(append(lowered.Events, Event{c.of(0.55), Configure(map[string]string{"retention.ms": millis(c.of(0.75))})}))
	return []Scenario{future, raised, lowered}
}

func (c chance) readers() []Scenario {
	return []Scenario{c.rolling(), c.killed(), c.stalls(), c.resets(), c.longCommits(), c.batches()}
}

// member is a follower of some clients.
func member(name string, kind Kind, clients int, cooperative bool) Group {
	return Group{Name: name, Kind: kind, Pace: Keep, Members: clients, Cooperative: cooperative, Healthy: true}
}

func (c chance) rolling() Scenario {
	s := c.with(c.timed("rolling"), member("eager", Classic, 2, false), member("cooperative", Classic, 2, true), member("served", Consumer, 2, false))
	for i := range rounds {
		at := 0.3 + float64(i)
		s.Events = append(s.Events, Event{c.of(at), Roll("eager", c.of(0.02))}, Event{c.of(at + 0.2), Roll("cooperative", c.of(0.02))}, Event{c.of(at + 0.4), Roll("served", c.of(0.02))})
	}
	return s
}

// killed are members that vanish: one for good, one that is started again in time, and one too late.
func (c chance) killed() Scenario {
	late, soon, never := member("late", Classic, 1, false), member("soon", Consumer, 1, false), member("never", Classic, 1, false)
	late.Healthy, never.Healthy, late.Loses, never.Loses = false, false, true, true
	s := c.with(c.timed("killed"), late, soon, never)
	s.Events = []Event{{c.of(0.2), Kill("late")}, {c.of(0.3), Kill("soon")}, {c.of(0.4), Kill("never")}, {c.of(0.8), Join("soon")}, {c.of(1.45), Join("late")}}
	for i := range rounds {
		at := 2.5 + 2*float64(i)
		s.Events = append(s.Events, Event{c.of(at), Kill("soon")}, Event{c.of(at + 0.1), Kill("late")}, Event{c.of(at + 0.5), Join("soon")}, Event{c.of(at + 1.3), Join("late")})
	}
	return s
}

// stalls are groups that stand still and go on faster than records come: in time, or not.
func (c chance) stalls() Scenario {
	quick := c.pace(2.5)
	s := c.with(c.timed("stalls"),
		Group{Name: "makes-it", Pace: quick, Healthy: true}, Group{Name: "fails", Pace: quick, Loses: true, ToEnd: true})
	for i := range rounds {
		at := 0.1 + 1.9*float64(i)
		s.Events = append(s.Events,
			Event{c.of(at), Pace("makes-it", 0)}, Event{c.of(at + 0.05), Pace("fails", 0)},
			Event{c.of(at + 0.65), Pace("makes-it", quick)}, Event{c.of(at + 1.25), Pace("fails", quick)})
	}
	return s
}

// resets read again from the start, and give up what is unread; one group moves by nothing else.
func (c chance) resets() Scenario {
	s := c.with(c.timed("resets"), Group{Name: "earliest", Pace: c.pace(3), Behind: c.of(0.02)}, Group{Name: "latest", Pace: c.pace(0.4), Behind: c.of(0.2)}, Group{Name: "jumps", Behind: c.of(0.3), Loses: true})
	for i := range rounds {
		at := 0.5 + 1.1*float64(i)
		s.Events = append(s.Events, Event{c.of(at), Reset("earliest", false)}, Event{c.of(at + 0.1), Reset("latest", true)}, Event{c.of(1.35 * float64(i+1)), Reset("jumps", true)})
	}
	s.Events = sorted(s.Events)
	return s
}

func (c chance) longCommits() Scenario {
	s := c.with(c.timed("long-commits"),
		Group{Name: "keeps", Pace: Keep, Every: c.of(1.0 / 12)},
		Group{Name: "slow", Pace: c.pace(c.near(0.5)), Every: c.of(1.0 / 20), Behind: c.of(0.4), ToEnd: true, Loses: true},
		Group{Name: "stalls", Pace: Keep, Every: c.of(1.0 / 20), Loses: true})
	s.Events = []Event{{c.of(0.25), Pace("stalls", 0)}}
	return s
}

// batches read what there is in runs of a thirtieth of the retention: always on time, and with runs that do not
// happen from the fifth on, until all is lost.
func (c chance) batches() Scenario {
	period, skipped := c.of(0.25), c.of(0.3)
	runs := func(every time.Duration, last int) func(time.Duration) bool {
		return func(at time.Duration) bool {
			n, within := at/every, at%every
			return within < c.of(0.06) && (last == 0 || int(n)%(last+6) < last)
		}
	}
	return c.with(c.timed("batches"),
		Group{Name: "on-time", Pace: c.pace(8), Behind: c.of(0.1), Runs: runs(period, 0), Healthy: true},
		Group{Name: "skips", Pace: c.pace(8), Behind: c.of(0.1), Runs: runs(skipped, 5), ToEnd: true, Loses: true})
}

// sorted puts events in the order of their times.
func sorted(events []Event) []Event {
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return events
}
