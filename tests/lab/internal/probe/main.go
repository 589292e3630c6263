// Package probe opens real connections to a VIP, one after the other, and
// tells who answered when and for how long nobody did.
package probe

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

const usage = "probe NAME VIP:PORT[/PROTO] [--for D] [--every D] [--timeout D] [-o text|json]"

// Main probes from the client namespace of a lab.
func Main(args []string) error {
	var p plan
	output := "text"
	var inside bool
	set := anyflag.New("probe")
	set.DurationVar(&p.length, "for", 5*time.Second, "how long to probe")
	set.DurationVar(&p.every, "every", 20*time.Millisecond, "time between two attempts")
	set.DurationVar(&p.timeout, "timeout", 300*time.Millisecond, "how long an attempt may take")
	set.StringVar(&output, "o", output, "text or json")
	set.BoolVar(&inside, "inside", false, "already in the client namespace; for the lab itself")
	rest, err := anyflag.Parse(set, args, usage, 2, 2)
	if err != nil {
		return err
	}
	if output != "text" && output != "json" {
		return problem.Usagef("-o %s: only text and json are known", output)
	}
	if p.every < time.Millisecond || p.length < p.every || p.timeout <= 0 {
		return problem.Usagef("--every must be at least 1ms, --for at least --every, --timeout more than 0")
	}
	lab, err := state.Load(rest[0])
	if err != nil {
		return err
	}
	if p.network, p.address, err = parseTarget(rest[1]); err != nil {
		return err
	}
	if !inside {
		return reenter(lab, "probe", args)
	}
	report := summarize(p, p.run(context.Background()))
	if output == "json" {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(report)
	}
	_, err = io.WriteString(os.Stdout, report.text())
	return err
}

// reenter runs the same command again inside the client namespace: attempts
// then are plain goroutines, cheap enough for one every millisecond.
func reenter(lab *state.Lab, command string, args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args = append([]string{self, command, "--inside"}, args...)
	return proc.Exec(lab, lab.Netns, 0, args, os.Environ())
}

func parseTarget(text string) (network, address string, err error) {
	address, proto, found := strings.Cut(text, "/")
	if !found {
		proto = "TCP"
	}
	network = strings.ToLower(proto)
	host, _, err := net.SplitHostPort(address)
	if err != nil || net.ParseIP(host) == nil || (network != "tcp" && network != "udp") {
		return "", "", problem.Usagef("%q is no target: write VIP:PORT, VIP:PORT/TCP or VIP:PORT/UDP", text)
	}
	return network, address, nil
}
