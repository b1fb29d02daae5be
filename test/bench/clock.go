package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// clock is the processor time of a broker: of the whole process, and of the threads that requests
// keep busy. Of a real broker the rest is its compiler, its controller and other work of its own,
// which in a minute is more than a poll costs, and differs from minute to minute by as much.
type clock struct{ whole, asked time.Duration }

// clockOf reads both. A program that is not a broker of Java has the whole twice.
func clockOf(pid int) (c clock, err error) {
	if c.whole, err = cpuOf(pid); err != nil {
		return c, err
	}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil {
		return c, err
	}
	found := false
	for _, dir := range threads {
		name, used, ok := threadAt(dir)
		if ok && worksForRequests(name) {
			c.asked, found = c.asked+used, true
		}
	}
	if !found {
		c.asked = c.whole
	}
	return c, nil
}

// worksForRequests: the network's and the handlers' threads, the group coordinator's, and those that
// collect what they leave behind, whoever left it. The kernel keeps 15 letters of a name.
func worksForRequests(name string) bool {
	for _, start := range []string{"data-plane-kafk", "group-coordinat", "GC Thread", "G1 ", "VM Thread"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}

// threadAt is a thread's name and processor time (/proc/PID/task/TID/schedstat, in nanoseconds); a
// thread that has ended meanwhile is none.
func threadAt(dir string) (name string, used time.Duration, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, "comm"))
	if err != nil {
		return "", 0, false
	}
	stat, err := os.ReadFile(filepath.Join(dir, "schedstat"))
	if err != nil {
		return "", 0, false
	}
	first, _, _ := strings.Cut(string(stat), " ")
	ns, err := strconv.ParseInt(first, 10, 64)
	return strings.TrimSpace(string(text)), time.Duration(ns), err == nil
}

func (c clock) sub(before clock) clock {
	return clock{c.whole - before.whole, c.asked - before.asked}
}

func (c clock) add(more clock) clock { return clock{c.whole + more.whole, c.asked + more.asked} }

// spent is a clock's milliseconds by whom.
type spent struct{ whole, asked float64 }

// less is what used came to during busy, without what rested used in the time of rest, for each of n.
func less(used clock, busy time.Duration, rested clock, rest time.Duration, n int) spent {
	share := busy.Seconds() / rest.Seconds()
	each := func(used, rested time.Duration) float64 {
		return (milliseconds(used) - share*milliseconds(rested)) / float64(n)
	}
	return spent{each(used.whole, rested.whole), each(used.asked, rested.asked)}
}
