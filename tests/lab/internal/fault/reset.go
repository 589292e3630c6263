package fault

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/cluster"
	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

// Reset is the command `lab reset`: a cluster as after `up`, without the wait.
func Reset(args []string) error {
	words, err := anyflag.Parse(anyflag.New("reset"), args, "reset NAME", 1, 1)
	if err != nil {
		return err
	}
	l, err := state.Load(words[0])
	if err != nil {
		return err
	}
	c, err := kube.New(l)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := mend(ctx, l, c); err != nil {
		return err
	}
	if err := endBackends(l); err != nil {
		return err
	}
	if err := cleanCluster(ctx, l, c); err != nil {
		return err
	}
	for i := range l.Nodes {
		if err := forget(ctx, l, &l.Nodes[i], c); err != nil {
			return err
		}
	}
	return flushNeighbours(l)
}

// flushNeighbours lets the client ask anew who has an address: the node that
// announces it may be another one next time.
func flushNeighbours(l *state.Lab) error {
	return cluster.IP(l.Netns, []string{"neigh flush dev br0"})
}

// mend lets every part run again, undisturbed.
func mend(ctx context.Context, l *state.Lab, c *kube.Client) error {
	if apiServerPid(l) == 0 {
		if err := cluster.StartAPIServer(ctx, l, c); err != nil {
			return err
		}
	}
	jobs := []func() error{}
	for i := range l.Nodes {
		n := &l.Nodes[i]
		if err := mendExec(l, n); err != nil {
			return err
		}
		pid := agentPid(l, n)
		if pid == 0 {
			jobs = append(jobs, func() error { return startAgent(ctx, l, n, c) })
		} else if frozen(pid) {
			if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
				return err
			}
		}
	}
	if operatorPid(l) == 0 {
		jobs = append(jobs, func() error { return cluster.StartOperator(ctx, l, c) })
	}
	return cluster.Together(jobs...)
}

// endBackends ends what scenarios started on the nodes.
func endBackends(l *state.Lab) error {
	files, err := filepath.Glob(filepath.Join(l.BackendsDir(), "*.pid"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := proc.Stop(l.Name, "fab", file, syscall.SIGKILL, patience); err != nil {
			return err
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	return nil
}

// ownNamespaces are there without any scenario.
var ownNamespaces = map[string]bool{
	"default": true, "kube-system": true, "kube-public": true, "kube-node-lease": true,
	"cilium-secrets": true,
}

// cleanCluster deletes whatever `up` did not make. Services go first and pools
// last: then LB-IPAM falls asleep with nothing left to remember.
func cleanCluster(ctx context.Context, l *state.Lab, c *kube.Client) error {
	namespaces, err := c.List(ctx, "/api/v1/namespaces")
	if err != nil {
		return err
	}
	kinds, err := c.Kinds(ctx)
	if err != nil {
		return err
	}
	sort.SliceStable(kinds, func(i, j int) bool { return rank(kinds[i].Path) < rank(kinds[j].Path) })
	pools := false
	for _, kind := range kinds {
		deleted, err := cleanKind(ctx, c, kind)
		if err != nil {
			return err
		}
		pools = pools || (deleted && kind.Name == "ciliumloadbalancerippools")
	}
	for _, ns := range namespaces {
		if name := kube.Meta(ns, "name"); !ownNamespaces[name] {
			if err := c.DeleteNamespace(ctx, name); err != nil {
				return fmt.Errorf("deleting namespace %s: %w", name, err)
			}
		}
	}
	if pools && l.LBIPAM {
		return kube.Wait(ctx, "LB-IPAM forgot its pools", func(context.Context) error { return dormant(l) })
	}
	return nil
}

func rank(path string) int {
	switch {
	case strings.HasSuffix(path, "/gateways") || strings.HasSuffix(path, "/ingresses"):
		return 0 // their Services would come back
	case strings.HasSuffix(path, "/services"):
		return 1
	case strings.HasSuffix(path, "/ciliumloadbalancerippools"):
		return 3
	}
	return 2
}

// cleanKind deletes the objects of a kind that no part of the lab needs.
func cleanKind(ctx context.Context, c *kube.Client, kind kube.Kind) (bool, error) {
	if kept[kind.Name] {
		return false, nil
	}
	items, err := c.List(ctx, kind.Path)
	if err != nil {
		return false, fmt.Errorf("listing %s: %w", kind.Name, err)
	}
	deleted := false
	for _, item := range items {
		namespace, name := kube.Meta(item, "namespace"), kube.Meta(item, "name")
		if !scenarioMade(kind, namespace, name) {
			continue
		}
		deleted = true
		if err := c.DeleteNow(ctx, kind.ItemPath(namespace, name)); err != nil {
			return deleted, fmt.Errorf("deleting %s %s/%s: %w", kind.Name, namespace, name, err)
		}
	}
	return deleted, nil
}

// kept are kinds whose objects belong to the lab or to the API server. Custom
// resource definitions stay too: making them again takes seconds.
var kept = map[string]bool{
	"namespaces": true, "nodes": true, "componentstatuses": true, "customresourcedefinitions": true,
	"apiservices": true, "flowschemas": true, "prioritylevelconfigurations": true, "priorityclasses": true,
	"clusterroles": true, "clusterrolebindings": true, "ciliumnodes": true, "ciliumidentities": true,
	"ciliumendpoints": true, "ciliumbgpnodeconfigs": true, "csinodes": true, "servicecidrs": true,
	"ipaddresses": true,
}

// scenarioMade tells the objects of scenarios from those of the lab.
func scenarioMade(kind kube.Kind, namespace, name string) bool {
	switch namespace {
	case "":
		return strings.HasSuffix(kind.Group, "cilium.io") || strings.HasPrefix(kind.Group, "gateway.") ||
			kind.Name == "ingressclasses" && name != "cilium"
	case "default":
		return name != "kubernetes" && name != "kube-root-ca.crt"
	case "kube-system":
		return kind.Name == "leases" && strings.HasPrefix(name, "cilium-l2announce-") ||
			kind.Name == "services" || kind.Name == "endpointslices" ||
			kind.Name == "configmaps" && strings.HasPrefix(name, "vipctl-") // journals of migrations
	}
	return !ownNamespaces[namespace]
}

// dormant says whether the operator's LB-IPAM waits for a first pool, which
// nothing but its log tells.
func dormant(l *state.Lab) error {
	data, err := os.ReadFile(l.Path("cilium-operator-generic.log"))
	if err != nil {
		return err
	}
	log := string(data)
	if strings.LastIndex(log, "LB-IPAM done initializing") > strings.LastIndex(log, "LB-IPAM initializing") {
		return fmt.Errorf("the operator's log does not say that LB-IPAM started anew")
	}
	return nil
}

// forget waits for a node's agent. One that was frozen may have lost its
// watches and wait long before it opens them again: that one is restarted.
func forget(ctx context.Context, l *state.Lab, n *state.Node, c *kube.Client) error {
	if waitForgotten(ctx, l, n.Name) == nil {
		return nil
	}
	if err := killAgent(ctx, l, n, c); err != nil {
		return err
	}
	if err := startAgent(ctx, l, n, c); err != nil {
		return err
	}
	return waitForgotten(ctx, l, n.Name)
}

// waitForgotten waits until a node's agent has entries for the API server
// alone.
func waitForgotten(ctx context.Context, l *state.Lab, node string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	return kube.Wait(ctx, "the agent of "+node+" forgot the scenarios' Services", func(ctx context.Context) error {
		services, err := cluster.AgentServices(ctx, l, node)
		if err != nil {
			return err
		}
		for name := range services {
			if name != "default/kubernetes" && !strings.HasPrefix(name, "kube-system/") {
				return fmt.Errorf("it still has %s", name)
			}
		}
		return nil
	})
}
