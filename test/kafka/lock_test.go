package kafka

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

func TestLockIsExclusiveAndBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lockFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := lockFile(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("second lock: %v, want a deadline", err)
	}
	unlock()
	again, err := lockFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestPortsAreReserved(t *testing.T) {
	seen := map[int]bool{}
	for range 50 {
		p := FreePort(t)
		if seen[p] {
			t.Fatalf("port %d was given twice", p)
		}
		seen[p] = true
	}
}
