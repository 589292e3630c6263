package fault

import (
	"context"
	"fmt"
	"syscall"

	"vipctl.dev/lab/internal/cluster"
	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

const apiServerUsage = "usage: lab apiserver NAME kill|start|restart"

// APIServer is the command `lab apiserver`. The store lives on, so nothing is
// forgotten.
func APIServer(args []string) error {
	if len(args) != 2 {
		return problem.Usagef(apiServerUsage)
	}
	l, err := state.Load(args[0])
	if err != nil {
		return err
	}
	c, err := kube.New(l)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch args[1] {
	case "kill":
		return killAPIServer(l)
	case "start":
		if apiServerPid(l) != 0 {
			return fmt.Errorf("the API server of lab %s runs already", l.Name)
		}
		return cluster.StartAPIServer(ctx, l, c)
	case "restart":
		led := operatorPid(l) != 0
		if err := killAPIServer(l); err != nil {
			return err
		}
		if err := cluster.StartAPIServer(ctx, l, c); err != nil {
			return err
		}
		return reviveOperator(ctx, l, c, led)
	}
	return problem.Usagef("no verb %q; %s", args[1], apiServerUsage)
}

func apiServerPid(l *state.Lab) int {
	return proc.Running(l.Name, "fab", cluster.APIServerPid(l))
}

func killAPIServer(l *state.Lab) error {
	return proc.Stop(l.Name, "fab", cluster.APIServerPid(l), syscall.SIGKILL, patience)
}

// reviveOperator does what the kubelet would: an operator that cannot renew its
// lease ends itself.
func reviveOperator(ctx context.Context, l *state.Lab, c *kube.Client, led bool) error {
	if !led || operatorPid(l) != 0 {
		return nil
	}
	return cluster.StartOperator(ctx, l, c)
}
