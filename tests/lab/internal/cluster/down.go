package cluster

import (
	"fmt"
	"os"
	"time"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/cgroup"
	"vipctl.dev/lab/internal/state"
)

// Down is the command `lab down`.
func Down(args []string) error {
	words, err := anyflag.Parse(anyflag.New("down"), args, "down NAME", 1, 1)
	if err != nil {
		return err
	}
	if err := state.CheckName(words[0]); err != nil {
		return err
	}
	found, err := Destroy(words[0])
	if err != nil {
		return err
	}
	if !found {
		fmt.Printf("nothing of lab %s is there\n", words[0])
		return nil
	}
	fmt.Printf("lab %s is down\n", words[0])
	return nil
}

// Destroy removes whatever there is of a lab, complete or not, from its name
// alone. Mounts need no care: they live in the nodes' own namespaces and go
// with the last process.
func Destroy(name string) (bool, error) {
	processes, err := cgroup.Destroy(name)
	if err != nil {
		return true, err
	}
	namespaces, err := removeNetwork(name)
	if err != nil {
		return true, err
	}
	_, statErr := os.Stat(state.Dir(name))
	if err := os.RemoveAll(state.Dir(name)); err != nil {
		return true, err
	}
	// The parent goes with the last lab; while others live, this fails.
	_ = os.Remove(state.Root())
	return processes || namespaces > 0 || statErr == nil, nil
}

// List is the command `lab list`.
func List(args []string) error {
	if _, err := anyflag.Parse(anyflag.New("list"), args, "list", 0, 0); err != nil {
		return err
	}
	names, err := state.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		l, err := state.Load(name)
		if err != nil {
			fmt.Printf("%-20s  not complete: being started, or left over (`lab down %s`)\n", name, name)
			continue
		}
		age := time.Since(l.Created).Round(time.Second)
		fmt.Printf("%-20s  %d nodes  Cilium %s  up for %s\n", name, len(l.Nodes), l.Versions["cilium"], age)
	}
	return nil
}
