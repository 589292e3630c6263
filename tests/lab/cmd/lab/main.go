// Command lab runs real Cilium clusters on this machine, without containers.
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"vipctl.dev/lab/internal/backend"
	"vipctl.dev/lab/internal/build"
	"vipctl.dev/lab/internal/cluster"
	"vipctl.dev/lab/internal/execd"
	"vipctl.dev/lab/internal/fault"
	"vipctl.dev/lab/internal/probe"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/timeline"
	"vipctl.dev/lab/internal/writer"
)

var commands = map[string]func(args []string) error{
	"build":     build.Main,
	"up":        cluster.Up,
	"down":      cluster.Down,
	"list":      cluster.List,
	"run":       cluster.Run,
	"node":      fault.Node,
	"operator":  fault.Operator,
	"backend":   backend.Main,
	"probe":     probe.Main,
	"clients":   probe.Clients,
	"frontends": timeline.Main,
	"writer":    writer.Main,
	"apiserver": fault.APIServer,
	"reset":     fault.Reset,
}

// hidden are the commands that the lab gives itself.
var hidden = map[string]func(args []string) error{
	"hold":  cluster.Hold,
	"execd": execd.Main,
}

const usage = `usage: lab COMMAND

  setup                         install the Debian packages that a lab needs (as root)
  build [--cilium LINE]         build Kubernetes and a Cilium line into the cache
  up NAME [--nodes 1..5] [--cilium LINE] [--no-lb-ipam] [--features A,B]
     [--set KEY=VALUE]…         start a cluster, print how to reach it as JSON
  run NAME [--as admin|reader|oncall|nobody] [--node NODE] -- COMMAND…
                                run a command where clients live, or on a node
  run NAME --cut N:before|after|lost|late=MS|interrupt|do=SCRIPT [--report FILE] -- COMMAND…
                                and break its N-th write: kill it before or after, lose
                                the answer, delay the write, run a script in the middle
  node NAME NODE kill|start|restart|freeze|thaw|cut-exec BYTES|slow-exec MS|mend-exec
  node NAME NODE drop-entry VIP:PORT/PROTO
                                take a frontend out of the node's BPF map; its tables stay
  operator NAME stop|start|restart
  apiserver NAME kill|start|restart
  backend NAME NODE PORT TEXT [--udp]
  probe NAME VIP:PORT[/PROTO] [--for D] [--every D] [-o json]
  clients NAME VIP:PORT[/PROTO]… [--clients N] [--held N] [--leave D] [--for D] [-o json]
                                new and kept connections that enter by each node by itself
  writer NAME reapply FILE [--every D] [--manager NAME] [--for D]
                                hold objects to a manifest, as a Git controller does
  frontends NAME [--every D] [--for D] [VIP]
  reset NAME                    back to a clean cluster, keeping it up
  down NAME                     end everything of a lab
  list                          show the labs`

func main() {
	if err := dispatch(os.Args[1:]); err != nil {
		if text := err.Error(); text != "" {
			fmt.Fprintln(os.Stderr, "lab: "+text)
		}
		os.Exit(problem.CodeOf(err))
	}
}

func dispatch(args []string) error {
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" || args[0] == "help" {
		fmt.Println(usage)
		return nil
	}
	if run, ok := commands[args[0]]; ok {
		return run(args[1:])
	}
	if run, ok := hidden[args[0]]; ok {
		return run(args[1:])
	}
	names := []string{"setup"}
	for name := range commands {
		names = append(names, name)
	}
	sort.Strings(names)
	return problem.Usagef("no command %q; there are: %s", args[0], strings.Join(names, " "))
}
