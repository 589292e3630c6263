package cluster

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/cut"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

const runUsage = "run NAME [--as admin|reader|oncall|nobody] [--node NODE | " + cut.Usage + " [--report FILE]] -- COMMAND…"

// Run is the command `lab run`: it becomes the command it was given, in the
// clients' namespace or on a node.
func Run(args []string) error {
	split := slices.Index(args, "--")
	if split < 0 || split == len(args)-1 {
		return problem.Usagef("usage: lab %s", runUsage)
	}
	command := args[split+1:]
	flags := anyflag.New("run")
	user := flags.String("as", "admin", "user of the API server")
	node := flags.String("node", "", "run on this node, with its agent's mounts")
	broken := flags.String("cut", "", "break the command's N-th write")
	report := flags.String("report", "", "with --cut: the file that tells what was written")
	words, err := anyflag.Parse(flags, args[:split], runUsage, 1, 1)
	if err != nil {
		return err
	}
	l, err := state.Load(words[0])
	if err != nil {
		return err
	}
	kubeconfig, ok := l.Kubeconfigs[*user]
	if !ok {
		return problem.Usagef("no user %q; there are: %s", *user, strings.Join(state.Users, " "))
	}
	env := environment(l, kubeconfig)
	if *broken != "" {
		plan, err := cut.Parse(*broken)
		if err != nil {
			return err
		}
		if *node != "" {
			return problem.Usagef("--cut works for clients, not on a node; usage: lab %s", runUsage)
		}
		return cut.Run(l, plan, *user, command, env, *report)
	}
	netns, holder := l.Netns, 0
	if *node != "" {
		n, err := l.Node(*node)
		if err != nil {
			return err
		}
		if holder = proc.Running(l.Name, n.Name, l.HolderPid(n.Name)); holder == 0 {
			return fmt.Errorf("the namespaces of node %s are gone: `lab down %s`, then start anew", n.Name, l.Name)
		}
		netns = n.Netns
	}
	return proc.Exec(l, netns, holder, command, env)
}

// environment lets a command find the lab's programs and its API server.
func environment(l *state.Lab, kubeconfig string) []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "PATH=") || strings.HasPrefix(kv, "KUBECONFIG=")
	})
	// All labs have the same address; kubectl must not take what it remembers
	// of one for another.
	return append(env, "PATH="+l.PathEnv(), "KUBECONFIG="+kubeconfig, "KUBECACHEDIR="+l.Path("kubecache"))
}
