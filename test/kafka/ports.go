package kafka

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Ports lie below the range from which Linux serves port 0 and outgoing connections (32768 up), so
// nothing takes one by chance while its broker is stopped.
const (
	firstPort = 20000
	lastPort  = 31999
)

// FreePort reserves a loopback port until the test ends. Other test processes of this machine that
// use FreePort do not get it, even while nothing listens on it.
func FreePort(t testing.TB) int {
	t.Helper()
	port, free, err := ReservePort()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(free)
	return port
}

// ReservePort is FreePort for a program that is no test: the port is reserved until it is freed.
func ReservePort() (port int, free func(), err error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("kafka-test-ports-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, nil, fmt.Errorf("make folder for port locks: %w", err)
	}
	for range 500 {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		f, err := tryLock(filepath.Join(dir, strconv.Itoa(port)))
		if err != nil {
			continue // another test has it
		}
		if !listens(port) {
			return port, func() { _ = f.Close() }, nil
		}
		_ = f.Close()
	}
	return 0, nil, fmt.Errorf("find a free port between %d and %d: none in 500 tries", firstPort, lastPort)
}

// listens tells whether a program other than our tests holds the port.
func listens(port int) bool {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return true
	}
	_ = l.Close()
	return false
}
