// Package netns runs code and reaches addresses inside named network
// namespaces, without a helper process and without touching mounts.
package netns

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
)

const dir = "/run/netns"

// Path is the file that names a namespace.
func Path(name string) string { return filepath.Join(dir, name) }

// Enter moves the calling thread into a namespace. The caller has locked the
// goroutine to its thread and never unlocks it.
func Enter(name string) error {
	f, err := os.Open(Path(name))
	if err != nil {
		return fmt.Errorf("network namespace %s: %w", name, err)
	}
	defer f.Close()
	if err := unix.Setns(int(f.Fd()), unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("entering network namespace %s: %w", name, err)
	}
	return nil
}

// Do runs f on a thread of its own inside the namespace. Sockets that f opens
// stay in the namespace afterwards; goroutines that f starts do not.
func Do(name string, f func() error) error {
	done := make(chan error, 1)
	go func() {
		// Never unlocked: the runtime ends the thread with the goroutine, so
		// no other goroutine wakes up in a foreign namespace.
		runtime.LockOSThread()
		if err := Enter(name); err != nil {
			done <- err
			return
		}
		done <- f()
	}()
	return <-done
}

// Dial connects from inside the namespace; addr holds an IP, not a name.
func Dial(ctx context.Context, name, network, addr string) (net.Conn, error) {
	var conn net.Conn
	err := Do(name, func() (err error) {
		conn, err = (&net.Dialer{}).DialContext(ctx, network, addr)
		return err
	})
	return conn, err
}
