//go:build !linux

package process

import "syscall"

// procAttr: an own process group. There is no parent-death signal here: a test binary that is killed
// leaves its brokers running.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
