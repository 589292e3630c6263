package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/state"
)

const clientsUsage = "clients NAME VIP:PORT[/PROTO]… [--clients N] [--every D] [--stay D] [--held N] [--ping D] [--leave D] [--for D] [-o text|json]"

// forever is how long clients go on that are not told when to end.
const forever = 24 * time.Hour

// crowd is what all the clients have in common.
type crowd struct {
	plan
	clients, held int
	ping, leave   time.Duration
	output        string
}

// Clients is the command `lab clients`: clients that enter by each node by
// itself, with new connections and with such that they keep. Without --for they
// go on until they are interrupted.
func Clients(args []string) error {
	c := crowd{output: "text"}
	var inside bool
	set := anyflag.New("clients")
	set.IntVar(&c.clients, "clients", 1, "how many open new connections, for each target and node")
	set.DurationVar(&c.every, "every", 10*time.Millisecond, "time between two new connections of a client")
	set.DurationVar(&c.stay, "stay", 0, "how long a new connection stays before it asks again and goes")
	set.IntVar(&c.held, "held", 1, "connections that are kept, for each target and node")
	set.DurationVar(&c.ping, "ping", 20*time.Millisecond, "time between two questions on a kept connection")
	set.DurationVar(&c.leave, "leave", 0, "a kept connection ends in peace so long after another backend answers new ones; 0: never")
	set.DurationVar(&c.timeout, "timeout", 300*time.Millisecond, "how long an answer may take")
	set.DurationVar(&c.length, "for", 0, "how long; 0: until interrupted")
	set.StringVar(&c.output, "o", c.output, "text or json")
	set.BoolVar(&inside, "inside", false, "already in the client namespace; for the lab itself")
	rest, err := anyflag.Parse(set, args, clientsUsage, 2, 17)
	if err != nil {
		return err
	}
	if c.output != "text" && c.output != "json" {
		return problem.Usagef("-o %s: only text and json are known", c.output)
	}
	if c.every < time.Millisecond || c.ping < time.Millisecond || c.timeout <= 0 || c.clients < 0 || c.held < 0 {
		return problem.Usagef("--every and --ping must be at least 1ms, --timeout more than 0; usage: lab %s", clientsUsage)
	}
	if c.length == 0 {
		c.length = forever
	}
	lab, err := state.Load(rest[0])
	if err != nil {
		return err
	}
	groups := []*group{}
	for _, target := range rest[1:] {
		network, address, err := parseTarget(target)
		if err != nil {
			return err
		}
		for i, node := range lab.Nodes {
			groups = append(groups, newGroup(c, network, address, node.Name, entryMark(i)))
		}
	}
	if !inside {
		if err := makeEntries(lab); err != nil {
			return err
		}
		return reenter(lab, "clients", args)
	}
	return c.report(c.crowd(groups))
}

// crowd runs all groups until the time is over or it is interrupted.
func (c crowd) crowd(groups []*group) CrowdReport {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	ctx, cancelTime := context.WithTimeout(ctx, c.length)
	defer cancelTime()
	began := time.Now()
	var all sync.WaitGroup
	for _, g := range groups {
		all.Go(func() { g.run(ctx, began) })
	}
	go sayReady(ctx, groups)
	all.Wait()
	report := CrowdReport{ForMs: ms(time.Since(began))}
	for _, g := range groups {
		report.Groups = append(report.Groups, g.summary(time.Since(began)))
	}
	return report
}

// sayReady tells on stderr when every group got an answer: what happens from
// then on is seen.
func sayReady(ctx context.Context, groups []*group) {
	for _, g := range groups {
		select {
		case <-ctx.Done():
			return
		case <-g.answered:
		}
	}
	fmt.Fprintln(os.Stderr, "clients: all are answered")
}

func (c crowd) report(r CrowdReport) error {
	if c.output == "json" {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	_, err := io.WriteString(os.Stdout, r.text())
	return err
}
