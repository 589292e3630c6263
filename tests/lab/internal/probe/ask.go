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
func (p plan) run() []attempt {
	began := time.Now()
	attempts := make([]attempt, 0, int(p.length/p.every)+1)
	var lock sync.Mutex
	var open sync.WaitGroup
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()
	for at := time.Duration(0); at < p.length; at = time.Since(began) {
		open.Go(func() {
			said, err := p.ask()
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
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, p.network, p.address)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if tcp, ok := conn.(*net.TCPConn); ok {
		// A closed connection would keep its port for a minute; thousands of
		// attempts would run out of ports.
		tcp.SetLinger(0)
	}
	deadline, _ := ctx.Deadline()
	conn.SetDeadline(deadline)
	if p.network == "udp" {
		if _, err := conn.Write([]byte("who\n")); err != nil {
			return "", err
		}
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	return strings.TrimSpace(line), nil
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
	case errors.Is(err, syscall.ECONNRESET):
		return kindReset
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return kindUnreachable
	case errors.Is(err, io.EOF):
		return kindEmpty
	default:
		return kindOther
	}
}
