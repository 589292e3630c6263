// Package fault breaks parts of a running lab and mends them again.
package fault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"vipctl.dev/lab/internal/cluster"
	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

const nodeUsage = "usage: lab node NAME NODE kill|start|restart|freeze|thaw|cut-exec BYTES|slow-exec MS|mend-exec|drop-entry VIP:PORT/PROTO"

// patience bounds what waits for an agent or the operator.
const patience = 90 * time.Second

// Node is the command `lab node`.
func Node(args []string) error {
	if len(args) < 3 {
		return problem.Usagef(nodeUsage)
	}
	l, err := state.Load(args[0])
	if err != nil {
		return err
	}
	n, err := l.Node(args[1])
	if err != nil {
		return err
	}
	verb, rest := args[2], args[3:]
	if verb == "cut-exec" || verb == "slow-exec" {
		return faultExec(l, n, verb, rest)
	}
	if verb == "drop-entry" {
		return dropEntry(l, n, rest)
	}
	if len(rest) != 0 {
		return problem.Usagef(nodeUsage)
	}
	c, err := kube.New(l)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch verb {
	case "kill":
		return killAgent(ctx, l, n, c)
	case "start":
		return startAgent(ctx, l, n, c)
	case "restart":
		if err := killAgent(ctx, l, n, c); err != nil {
			return err
		}
		return startAgent(ctx, l, n, c)
	case "freeze":
		return signalAgent(l, n, syscall.SIGSTOP)
	case "thaw":
		return signalAgent(l, n, syscall.SIGCONT)
	case "mend-exec":
		return mendExec(l, n)
	}
	return problem.Usagef("no verb %q; %s", verb, nodeUsage)
}

func agentPid(l *state.Lab, n *state.Node) int {
	return proc.Running(l.Name, n.Name, l.AgentPid(n.Name))
}

// killAgent ends the agent as the kernel would, and then says of its Pod what
// the kubelet would say.
func killAgent(ctx context.Context, l *state.Lab, n *state.Node, c *kube.Client) error {
	if agentPid(l, n) == 0 {
		return fmt.Errorf("the agent of %s does not run", n.Name)
	}
	if err := proc.Stop(l.Name, n.Name, l.AgentPid(n.Name), syscall.SIGKILL, patience); err != nil {
		return err
	}
	return cluster.SetPodReady(ctx, c, n.Pod, n.IP, false)
}

func startAgent(ctx context.Context, l *state.Lab, n *state.Node, c *kube.Client) error {
	if pid := agentPid(l, n); pid != 0 {
		return fmt.Errorf("the agent of %s runs already, as process %d", n.Name, pid)
	}
	if err := cluster.StartAgent(ctx, l, n); err != nil {
		return err
	}
	return cluster.SetPodReady(ctx, c, n.Pod, n.IP, true)
}

func signalAgent(l *state.Lab, n *state.Node, sig syscall.Signal) error {
	pid := agentPid(l, n)
	if pid == 0 {
		return fmt.Errorf("the agent of %s does not run", n.Name)
	}
	return syscall.Kill(pid, sig)
}

// frozen says whether the agent is stopped by a signal.
func frozen(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.HasPrefix(rest, "T")
}

// faultExec leaves a note that the node's exec endpoint reads at each request.
func faultExec(l *state.Lab, n *state.Node, verb string, rest []string) error {
	if len(rest) != 1 {
		return problem.Usagef(nodeUsage)
	}
	value, err := strconv.Atoi(rest[0])
	if err != nil || value < 0 {
		return problem.Usagef("%s %q: not a whole number; %s", verb, rest[0], nodeUsage)
	}
	key := "cutAfter"
	if verb == "slow-exec" {
		key = "delayMs"
	}
	data, err := json.Marshal(map[string]int{key: value})
	if err != nil {
		return err
	}
	return os.WriteFile(execControl(l, n), data, 0o644)
}

func execControl(l *state.Lab, n *state.Node) string { return l.Path(n.Name, "exec.json") }

func mendExec(l *state.Lab, n *state.Node) error {
	if err := os.Remove(execControl(l, n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
