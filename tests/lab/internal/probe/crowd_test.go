package probe

import (
	"bufio"
	"context"
	"net"
	"strings"
	"testing"
	"time"
)

// server answers every line with what who says at that moment; break ends all
// connections that are open.
type server struct {
	listener net.Listener
	who      chan string
	conns    chan net.Conn
}

func serve(t *testing.T, who string) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	s := &server{listener: listener, who: make(chan string, 1), conns: make(chan net.Conn, 1000)}
	s.who <- who
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			name := <-s.who
			s.who <- name
			s.conns <- conn
			go func() {
				lines := bufio.NewScanner(conn)
				for {
					if _, err := conn.Write([]byte(name + "\n")); err != nil || !lines.Scan() {
						return
					}
				}
			}()
		}
	}()
	return s
}

func (s *server) rename(name string) {
	<-s.who
	s.who <- name
}

func (s *server) breakAll() {
	for {
		select {
		case conn := <-s.conns:
			conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		default:
			return
		}
	}
}

// watched runs a group against a server until the script is over.
func watched(t *testing.T, s *server, leave time.Duration, script func()) GroupReport {
	t.Helper()
	c := crowd{clients: 1, held: 1, ping: 2 * time.Millisecond, leave: leave}
	c.length, c.every, c.timeout = forever, 5*time.Millisecond, time.Second
	g := newGroup(c, "tcp", s.listener.Addr().String(), "nd1", 0)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	began := time.Now()
	go func() {
		g.run(ctx, began)
		close(done)
	}()
	<-g.answered
	for g.opened() == 0 {
		time.Sleep(time.Millisecond)
	}
	script()
	cancel()
	<-done
	return g.summary(time.Since(began))
}

func (g *group) opened() int {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.kept.Opened
}

func TestAKeptConnectionThatBreaksIsCounted(t *testing.T) {
	s := serve(t, "a")
	r := watched(t, s, 0, func() {
		time.Sleep(30 * time.Millisecond)
		s.breakAll()
		time.Sleep(30 * time.Millisecond)
	})
	if len(r.Kept.Broken) != 1 || r.Kept.Broken[0].Who != "a" || r.Kept.Opened != 2 || r.Kept.Left != 0 {
		t.Errorf("%+v", r.Kept)
	}
}

func TestAKeptConnectionLeavesInPeaceAfterAMove(t *testing.T) {
	s := serve(t, "a")
	r := watched(t, s, 20*time.Millisecond, func() {
		s.rename("b")
		time.Sleep(100 * time.Millisecond)
	})
	if len(r.Kept.Broken) != 0 || r.Kept.Left != 1 || r.Kept.Answers["a"] == 0 || r.Kept.Answers["b"] == 0 {
		t.Errorf("%+v", r.Kept)
	}
	if r.Fresh.Failed != 0 || r.Fresh.Answers["b"] == 0 {
		t.Errorf("%+v", r.Fresh)
	}
	text := CrowdReport{Groups: []GroupReport{r}}.text()
	if !strings.Contains(text, " 0 failed; 2 kept, 0 broken\n") {
		t.Errorf("%s", text)
	}
}
