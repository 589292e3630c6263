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

const operatorUsage = "usage: lab operator NAME stop|start|restart"

// Operator is the command `lab operator`.
func Operator(args []string) error {
	if len(args) != 2 {
		return problem.Usagef(operatorUsage)
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
	case "stop":
		return stopOperator(ctx, l, c)
	case "start":
		if operatorPid(l) != 0 {
			return fmt.Errorf("the operator of lab %s runs already", l.Name)
		}
		return cluster.StartOperator(ctx, l, c)
	case "restart":
		if err := stopOperator(ctx, l, c); err != nil {
			return err
		}
		return cluster.StartOperator(ctx, l, c)
	}
	return problem.Usagef("no verb %q; %s", args[1], operatorUsage)
}

func operatorPid(l *state.Lab) int { return proc.Running(l.Name, "fab", cluster.OperatorPid(l)) }

func stopOperator(ctx context.Context, l *state.Lab, c *kube.Client) error {
	if err := proc.Stop(l.Name, "fab", cluster.OperatorPid(l), syscall.SIGTERM, patience); err != nil {
		return err
	}
	return cluster.SetPodReady(ctx, c, cluster.OperatorPod, l.Nodes[0].IP, false)
}
