package execd

import (
	"net"
	"testing"
	"time"
)

func TestOnlyAnEndedConnectionIsGone(t *testing.T) {
	near, far := net.Pipe()
	c := &watchedConn{Conn: near, gone: make(chan struct{})}
	c.SetReadDeadline(time.Now())
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Fatal("read something from nobody")
	}
	select {
	case <-c.gone:
		t.Fatal("a passed deadline counts as the end of the connection")
	default:
	}
	c.SetReadDeadline(time.Time{})
	far.Close()
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Fatal("read something from a closed connection")
	}
	select {
	case <-c.gone:
	default:
		t.Error("the end of the connection went unnoticed")
	}
}
