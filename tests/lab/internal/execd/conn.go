package execd

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"sync"
)

// A watchedConn tells when the peer is gone. net/http forgets a connection
// once it was upgraded, yet a command must not outlive its reader: a frozen
// agent would leave one hanging cilium-dbg behind for every question.
type watchedConn struct {
	net.Conn
	once sync.Once
	gone chan struct{}
}

func (c *watchedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	// A passed deadline is net/http's way to end its own reading at an upgrade.
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.once.Do(func() { close(c.gone) })
	}
	return n, err
}

func (c *watchedConn) Close() error {
	c.once.Do(func() { close(c.gone) })
	return c.Conn.Close()
}

// cut drops the connection as a broken network would: a reset, without the
// closing words of TLS, SPDY or the exec protocol.
func (c *watchedConn) cut() {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.Close()
}

type watchedListener struct{ net.Listener }

func (l watchedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &watchedConn{Conn: c, gone: make(chan struct{})}, nil
}

type connKey struct{}

// withConn is http.Server's ConnContext: requests find their connection by it.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return context.WithValue(ctx, connKey{}, c)
}

func connOf(ctx context.Context) *watchedConn {
	c, _ := ctx.Value(connKey{}).(*watchedConn)
	return c
}
