package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

const operatorLease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cilium-operator-resource-lock"

// OperatorPid is the file with the operator's process id.
func OperatorPid(l *state.Lab) string { return l.Path("cilium-operator-generic.pid") }

// StartOperator starts the operator and waits until it leads.
func StartOperator(ctx context.Context, l *state.Lab, c *kube.Client) error {
	started := time.Now()
	spec := fabProcess(l, "cilium-operator-generic",
		filepath.Join(l.Bin["cilium"], "cilium-operator-generic"),
		"--config-dir="+l.Path("config"),
		"--k8s-kubeconfig-path="+kubeconfigPath(l, "cilium-operator"),
	)
	spec.Env = []string{"CILIUM_K8S_NAMESPACE=kube-system", "K8S_NODE_NAME=" + l.Nodes[0].Name}
	p, err := proc.Start(spec)
	if err != nil {
		return err
	}
	err = p.WaitFor(ctx, "it led", func(ctx context.Context) error {
		lease := struct {
			Spec struct {
				HolderIdentity string
				AcquireTime    time.Time
			}
		}{}
		if err := c.Get(ctx, operatorLease, &lease); err != nil {
			return err
		}
		if lease.Spec.HolderIdentity == "" || lease.Spec.AcquireTime.Before(started) {
			return fmt.Errorf("the lease is held by %q since %s", lease.Spec.HolderIdentity, lease.Spec.AcquireTime)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return SetPodReady(ctx, c, OperatorPod, l.Nodes[0].IP, true)
}

// startHolder makes a node's mount and cgroup namespaces.
func startHolder(ctx context.Context, l *state.Lab, n *state.Node) error {
	for _, dir := range []string{"run/netns", "state", "lib"} {
		if err := os.MkdirAll(l.Path(n.Name, dir), 0o755); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p, err := proc.Start(proc.Spec{
		Lab: l.Name, Part: n.Name, Netns: n.Netns, OwnMounts: true,
		Args: []string{self, "hold", "--lab", l.Dir(), "--node", n.Name},
		Log:  l.Path(n.Name, "holder.log"), PidFile: l.HolderPid(n.Name),
	})
	if err != nil {
		return err
	}
	return p.WaitFor(ctx, "the node's namespaces were prepared", func(context.Context) error {
		_, err := os.Stat(l.Path(n.Name, "held"))
		return err
	})
}

// startExecd starts the node's stand-in for the kubelet. It is no part of the
// node's cgroup: what happens to the agent does not touch it.
func startExecd(l *state.Lab, n *state.Node) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	_, err = proc.Start(proc.Spec{
		Lab: l.Name, Part: "fab", Netns: n.Netns,
		Args: []string{self, "execd", "--state", l.Dir(), "--node", n.Name,
			"--agent-pid-file", l.AgentPid(n.Name), "--path", l.Bin["cilium"]},
		Log: l.Path(n.Name, "execd.log"), PidFile: l.Path(n.Name, "execd.pid"),
	})
	return err
}

// StartAgent starts a node's agent and waits until it says it is well.
func StartAgent(ctx context.Context, l *state.Lab, n *state.Node) error {
	holder := proc.Running(l.Name, n.Name, l.HolderPid(n.Name))
	if holder == 0 {
		return fmt.Errorf("the namespaces of node %s are gone: `lab down %s`, then start anew", n.Name, l.Name)
	}
	p, err := proc.Start(proc.Spec{
		Lab: l.Name, Part: n.Name, Netns: n.Netns, Joins: holder,
		Args: []string{
			filepath.Join(l.Bin["cilium"], "cilium-agent"),
			"--config-dir=" + l.Path("config"),
			"--k8s-kubeconfig-path=" + kubeconfigPath(l, "cilium"),
			"--bpf-root=/sys/fs/bpf",
			"--cgroup-root=/sys/fs/cgroup",
			"--lib-dir=" + l.Path(n.Name, "lib"),
			"--state-dir=" + l.Path(n.Name, "state"),
			"--socket-path=/var/run/cilium/cilium.sock",
		},
		Env: []string{
			"K8S_NODE_NAME=" + n.Name,
			"CILIUM_K8S_NAMESPACE=kube-system",
			"PATH=" + l.Path("tools") + ":" + l.Bin["cilium"] + ":" + os.Getenv("PATH"),
		},
		Log: l.Path(n.Name, "agent.log"), PidFile: l.AgentPid(n.Name),
	})
	if err != nil {
		return err
	}
	return p.WaitFor(ctx, "the agent of "+n.Name+" was ready", func(ctx context.Context) error {
		return agentHealth(ctx, l, n.Name)
	})
}
