package probe

import (
	"bufio"
	"context"
	"strings"
	"sync"
	"time"
)

// group is all clients of one target that enter by one node.
type group struct {
	crowd
	target, node string
	answered     chan struct{} // closed with the first answer

	lock     sync.Mutex
	attempts []attempt
	kept     keptReport
	// last is who answered a new connection last, since when.
	last  string
	since time.Time
}

// keptReport counts what became of connections that were to stay.
type keptReport struct {
	Opened    int            `json:"opened"`    // connections
	NotOpened int            `json:"notOpened"` // attempts in vain
	Asked     int            `json:"asked"`
	Left      int            `json:"left"` // ended in peace after the port had moved
	Answers   map[string]int `json:"answers"`
	Broken    []Break        `json:"broken"`
}

// Break is a kept connection that ended before its client wanted it to.
type Break struct {
	AtMs float64 `json:"atMs"`
	Kind string  `json:"kind"`
	Who  string  `json:"who"` // who had answered it
}

func newGroup(c crowd, network, address, node string, mark int) *group {
	c.network, c.address, c.mark = network, address, mark
	g := &group{crowd: c, target: address + "/" + strings.ToUpper(network), node: node, answered: make(chan struct{})}
	g.kept = keptReport{Answers: map[string]int{}, Broken: []Break{}}
	g.saw = g.heard
	if network == "udp" {
		g.held, g.stay = 0, 0
	}
	return g
}

func (g *group) run(ctx context.Context, began time.Time) {
	var all sync.WaitGroup
	for i := range g.clients {
		all.Go(func() {
			// Spread evenly, so that together they look as often as they can.
			late := g.every * time.Duration(i) / time.Duration(g.clients)
			time.Sleep(late)
			found := g.plan.run(ctx)
			g.lock.Lock()
			defer g.lock.Unlock()
			for _, a := range found {
				a.at += late
				g.attempts = append(g.attempts, a)
			}
		})
	}
	for range g.held {
		all.Go(func() {
			for ctx.Err() == nil {
				g.hold(ctx, began)
			}
		})
	}
	all.Wait()
}

// heard remembers who answers new connections.
func (g *group) heard(answer string) {
	g.lock.Lock()
	defer g.lock.Unlock()
	if g.last == "" {
		close(g.answered)
	}
	if g.last != answer {
		g.last, g.since = answer, time.Now()
	}
}

// hold keeps one connection until it breaks, its time to leave has come or
// everything ends.
func (g *group) hold(ctx context.Context, began time.Time) {
	conn, err := g.dial()
	var line string
	lines := bufio.NewReader(nil)
	if err == nil {
		defer conn.Close()
		lines.Reset(conn)
		line, err = lines.ReadString('\n')
	}
	if err != nil {
		g.count(func(k *keptReport) { k.NotOpened++ })
		pause(ctx, g.every)
		return
	}
	who := strings.TrimSpace(line)
	g.count(func(k *keptReport) { k.Opened++ })
	for pause(ctx, g.ping) {
		if g.movedFrom(who) {
			g.count(func(k *keptReport) { k.Left++ })
			return
		}
		line, err := again(conn, lines, g.timeout)
		if err != nil {
			lost := Break{AtMs: ms(time.Since(began)), Kind: kindOf(err), Who: who}
			g.count(func(k *keptReport) { k.Broken = append(k.Broken, lost) })
			return
		}
		g.count(func(k *keptReport) { k.Asked++; k.Answers[strings.TrimSpace(line)]++ })
	}
}

// movedFrom says whether new connections have been answered by somebody else
// for so long that this one is to leave.
func (g *group) movedFrom(who string) bool {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.leave > 0 && g.last != "" && g.last != who && time.Since(g.since) >= g.leave
}

func (g *group) count(what func(*keptReport)) {
	g.lock.Lock()
	defer g.lock.Unlock()
	what(&g.kept)
}

// pause says no when everything ends.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
