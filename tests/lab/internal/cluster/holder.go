package cluster

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Hold is the hidden command that keeps a node's namespaces: it was started in
// new mount and cgroup namespaces, prepares them for an agent and stays. While
// it lives, an agent can die and start again with its pinned maps in place.
func Hold(args []string) error {
	flags := flag.NewFlagSet("hold", flag.ContinueOnError)
	labDir := flags.String("lab", "", "directory of the lab")
	node := flags.String("node", "", "name of the node")
	if err := flags.Parse(args); err != nil {
		return err
	}
	nodeDir := filepath.Join(*labDir, *node)
	for _, step := range []func() error{
		privateSys,
		func() error { return privateRun(*labDir, nodeDir) },
		forwarding,
		func() error { return os.WriteFile(filepath.Join(nodeDir, "held"), nil, 0o644) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("preparing node %s: %w", *node, err)
		}
	}
	for {
		_ = unix.Pause()
	}
}

// privateSys mounts a /sys of this network namespace, with exactly one BPF
// file system and the node's own cgroup. With a second BPF file system in
// sight the agent and its loader pin maps in different places, and packets
// pass untranslated while every table looks right.
func privateSys() error {
	for _, path := range append(bpfMounts(), "/sys") {
		_ = unix.Unmount(path, unix.MNT_DETACH)
	}
	for _, m := range []struct{ kind, path string }{
		{"sysfs", "/sys"}, {"bpf", "/sys/fs/bpf"}, {"cgroup2", "/sys/fs/cgroup"},
	} {
		if err := unix.Mount(m.kind, m.path, m.kind, 0, ""); err != nil {
			return fmt.Errorf("mounting %s on %s: %w", m.kind, m.path, err)
		}
	}
	return os.MkdirAll("/sys/fs/bpf/tc/globals", 0o755)
}

func bpfMounts() []string {
	data, _ := os.ReadFile("/proc/self/mounts")
	paths := []string{}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 2 && f[2] == "bpf" {
			paths = append(paths, f[1])
		}
	}
	return paths
}

// privateRun gives the node an empty /run, so that agents share neither the
// iptables lock nor sockets. The agent's own part is <node>/run, which makes
// its sockets reachable from outside.
func privateRun(labDir, nodeDir string) error {
	run, err := filepath.EvalSymlinks("/var/run")
	if err != nil {
		return err
	}
	lab, err := unix.Open(labDir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(lab)
	if err := unix.Mount("tmpfs", run, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("mounting a tmpfs on %s: %w", run, err)
	}
	if _, err := os.Stat(labDir); os.IsNotExist(err) { // the tmpfs hides it
		if err := bind(fmt.Sprintf("/proc/self/fd/%d", lab), labDir); err != nil {
			return err
		}
	}
	return bind(filepath.Join(nodeDir, "run"), filepath.Join(run, "cilium"))
}

func bind(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("binding %s to %s: %w", from, to, err)
	}
	return nil
}

// forwarding lets the node pass packets on to backends elsewhere.
func forwarding() error {
	for path, value := range map[string]string{
		"ipv4/ip_forward":             "1",
		"ipv4/conf/all/rp_filter":     "0",
		"ipv4/conf/default/rp_filter": "0",
		"ipv4/conf/eth0/rp_filter":    "0",
	} {
		if err := os.WriteFile("/proc/sys/net/"+path, []byte(value), 0o644); err != nil {
			return err
		}
	}
	return nil
}
