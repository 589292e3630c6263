package cluster

import (
	"context"
	"path/filepath"

	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

// fabProcess describes a process beside the clients, outside of every node's
// cgroup.
func fabProcess(l *state.Lab, name string, args ...string) proc.Spec {
	return proc.Spec{
		Lab: l.Name, Part: "fab", Netns: l.Netns, Args: args,
		Log: l.Path(name + ".log"), PidFile: l.Path(name + ".pid"),
	}
}

// startEtcd starts the store. It never syncs to disk: a lab that loses its
// machine is gone anyhow.
func startEtcd(l *state.Lab) (*proc.Process, error) {
	return proc.Start(fabProcess(l, "etcd",
		filepath.Join(l.Bin["kubernetes"], "etcd"),
		"--name=lab",
		"--data-dir="+l.Path("etcd"),
		"--listen-client-urls=http://127.0.0.1:2379",
		"--advertise-client-urls=http://127.0.0.1:2379",
		"--listen-peer-urls=http://127.0.0.1:2380",
		"--initial-advertise-peer-urls=http://127.0.0.1:2380",
		"--initial-cluster=lab=http://127.0.0.1:2380",
		"--unsafe-no-fsync",
		"--log-level=warn",
	))
}

// APIServerPid is the file with the API server's process id.
func APIServerPid(l *state.Lab) string { return l.Path("kube-apiserver.pid") }

// StartAPIServer starts the API server beside a store that is there, and waits
// until it serves.
func StartAPIServer(ctx context.Context, l *state.Lab, c *kube.Client) error {
	server, err := startAPIServer(l)
	if err != nil {
		return err
	}
	return waitAPI(ctx, server, c)
}

func startAPIServer(l *state.Lab) (*proc.Process, error) {
	pki := func(file string) string { return l.Path("pki", file) }
	return proc.Start(fabProcess(l, "kube-apiserver",
		filepath.Join(l.Bin["kubernetes"], "kube-apiserver"),
		"--etcd-servers=http://127.0.0.1:2379",
		"--bind-address=0.0.0.0",
		"--advertise-address="+state.FabIP,
		"--secure-port=6443",
		"--cert-dir="+l.Path("pki"),
		"--tls-cert-file="+pki("apiserver.crt"),
		"--tls-private-key-file="+pki("apiserver.key"),
		"--token-auth-file="+pki("tokens.csv"),
		"--authorization-mode=RBAC",
		"--service-cluster-ip-range=10.96.0.0/16",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+pki("sa.pub"),
		"--service-account-signing-key-file="+pki("sa.key"),
		// No controller makes service accounts, nor takes the taint off a new
		// node that says it is ready.
		"--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
		"--allow-privileged=true",
		"--kubelet-preferred-address-types=InternalIP",
		"--enable-priority-and-fairness=false",
		"--profiling=false",
	))
}

// waitAPI waits until the API server serves and has made its own namespaces.
func waitAPI(ctx context.Context, server *proc.Process, c *kube.Client) error {
	return server.WaitFor(ctx, "the API server was ready", func(ctx context.Context) error {
		if err := c.Do(ctx, "GET", "/readyz", "", nil, nil); err != nil {
			return err
		}
		for _, namespace := range []string{"default", "kube-system"} {
			if err := c.Get(ctx, "/api/v1/namespaces/"+namespace, nil); err != nil {
				return err
			}
		}
		return nil
	})
}
