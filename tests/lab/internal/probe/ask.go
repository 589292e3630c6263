package probe

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

// plan is what to ask, how often and for how long.
type plan struct {
	network, address       string
	length, every, timeout time.Duration
	// mark picks the route, and with it the node that a packet enters by; 0 is
	// the usual one.
	mark int
	// stay keeps a connection for so long before it asks a last time and goes.
	stay time.Duration
	// saw, if given, hears every answer as it comes.
	saw func(answer string)
}

// attempt is one connection: when it began, and the answer or the way it failed.
type attempt struct {
	at     time.Duration // since the first one
	answer string
	kind   string // empty when answered
}

// The ways an attempt fails. They differ in cause: nobody forwards the packet,
// somebody refuses the port, an accepted connection breaks.
const (
	kindTimeout     = "timeout"
	kindRefused     = "refused"
	kindReset       = "reset"
	kindUnreachable = "unreachable"
	kindEmpty       = "empty"
	kindOther       = "other"
)

// run begins an attempt each period, whether or not earlier ones ended: a
// slow failure must not hide how long the target was dark.
func (p plan) run(ctx context.Context) []attempt {
	began := time.Now()
	attempts := []attempt{}
	var lock sync.Mutex
	var open sync.WaitGroup
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()
	for at := time.Duration(0); at < p.length && ctx.Err() == nil; at = time.Since(began) {
		open.Go(func() {
			said, err := p.ask()
			if err == nil && p.saw != nil {
				p.saw(said)
			}
			lock.Lock()
			defer lock.Unlock()
			attempts = append(attempts, attempt{at: at, answer: said, kind: kindOf(err)})
		})
		<-ticker.C
	}
	open.Wait()
	return attempts
}

// ask opens a connection from a fresh source port and reads one line.
func (p plan) ask() (string, error) {
	conn, err := p.dial()
	if err != nil {
		return "", err
	}
	defer conn.Close()
	lines := bufio.NewReader(conn)
	if p.network == "udp" {
		if _, err := conn.Write([]byte("who\n")); err != nil {
			return "", err
		}
	}
	line, err := lines.ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	if p.stay > 0 {
		time.Sleep(p.stay)
		if line, err = again(conn, lines, p.timeout); err != nil {
			return "", err
		}
	}
	return strings.TrimSpace(line), nil
}

// dial opens a connection that has the plan's timeout from now on.
func (p plan) dial() (net.Conn, error) {
	deadline := time.Now().Add(p.timeout)
	dialer := net.Dialer{Deadline: deadline, Control: p.steer}
	conn, err := dialer.Dial(p.network, p.address)
	if err != nil {
		return nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		// A closed connection would keep its port for a minute; thousands of
		// attempts would run out of ports.
		tcp.SetLinger(0)
	}
	return conn, conn.SetDeadline(deadline)
}

// steer puts the plan's mark on a socket before it sends anything.
func (p plan) steer(_, _ string, raw syscall.RawConn) error {
	if p.mark == 0 {
		return nil
	}
	var err error
	if inner := raw.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_MARK, p.mark)
	}); inner != nil {
		return inner
	}
	return err
}

// again asks an open connection who is behind it.
func again(conn net.Conn, lines *bufio.Reader, timeout time.Duration) (string, error) {
	if err := conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		return "", err
	}
	if _, err := conn.Write([]byte("who\n")); err != nil {
		return "", err
	}
	return lines.ReadString('\n')
}

func kindOf(err error) string {
	var netErr net.Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded),
		errors.As(err, &netErr) && netErr.Timeout():
		return kindTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return kindRefused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return kindReset
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return kindUnreachable
	case errors.Is(err, io.EOF):
		return kindEmpty
	default:
		return kindOther
	}
}
