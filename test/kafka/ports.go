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
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("kafka-test-ports-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatalf("make folder for port locks: %v", err)
	}
	for range 500 {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		f, err := tryLock(filepath.Join(dir, strconv.Itoa(port)))
		if err != nil {
			continue // another test has it
		}
		if !listens(port) {
			t.Cleanup(func() { _ = f.Close() })
			return port
		}
		_ = f.Close()
	}
	t.Fatalf("find a free port between %d and %d: none in 500 tries", firstPort, lastPort)
	return 0
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
