package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/build"
	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/machine"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/state"
)

const upUsage = "up NAME [--nodes 1..5] [--cilium LINE] [--no-lb-ipam] [--features A,B] [--set KEY=VALUE]…"

type upOptions struct {
	name     string
	nodes    int
	line     string
	lbIPAM   bool
	features []string
	set      map[string]string
}

func parseUp(args []string) (*upOptions, error) {
	flags := anyflag.New("up")
	nodes := flags.Int("nodes", 3, "number of nodes, 1 to 5")
	line := flags.String("cilium", build.DefaultLine, "line of Cilium")
	noIPAM := flags.Bool("no-lb-ipam", false, "run without LB-IPAM")
	features := flags.String("features", "l2", "parts of Cilium to turn on")
	set := map[string]string{}
	flags.Func("set", "a setting of cilium-config that is to be another one", func(text string) error {
		key, value, ok := strings.Cut(text, "=")
		if !ok || key == "" {
			return fmt.Errorf("%q is no KEY=VALUE", text)
		}
		set[key] = value
		return nil
	})
	words, err := anyflag.Parse(flags, args, upUsage, 1, 1)
	if err != nil {
		return nil, err
	}
	if *nodes < 1 || *nodes > 5 {
		return nil, problem.Usagef("--nodes %d: a lab has 1 to 5 nodes", *nodes)
	}
	if err := state.CheckName(words[0]); err != nil {
		return nil, err
	}
	o := &upOptions{
		name: words[0], nodes: *nodes, line: *line, lbIPAM: !*noIPAM, features: strings.Split(*features, ","), set: set,
	}
	return o, build.CheckLine(o.line)
}

// Up is the command `lab up`.
func Up(args []string) error {
	o, err := parseUp(args)
	if err != nil {
		return err
	}
	s, err := newSettings(o.lbIPAM, o.features)
	if err != nil {
		return err
	}
	maps.Copy(s, o.set)
	if err := machine.Check(); err != nil {
		return err
	}
	bins, err := build.Ensure(o.line)
	if err != nil {
		return err
	}
	if err := claimName(o.name); err != nil {
		return err
	}
	l := newLab(o, bins)
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	ctx, cancelTime := context.WithTimeout(ctx, 3*time.Minute)
	defer cancelTime()
	if err := start(ctx, l, s); err != nil {
		if _, cleanErr := Destroy(o.name); cleanErr != nil {
			err = fmt.Errorf("%w\nand cleaning up failed: %w", err, cleanErr)
		}
		return err
	}
	out, err := json.MarshalIndent(l, "", "  ")
	fmt.Println(string(out))
	return err
}

// claimName makes the lab's directory; only one `up` can succeed at that.
func claimName(name string) error {
	if err := os.MkdirAll(state.Root(), 0o755); err != nil {
		return err
	}
	err := os.Mkdir(state.Dir(name), 0o755)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Stat(filepath.Join(state.Dir(name), "lab.json")); err == nil {
		return problem.Usagef("lab %s is up already: use it, or end it with `lab down %s`", name, name)
	}
	return problem.Usagef("lab %s is being started, or was left half started: wait, or remove it with `lab down %s`", name, name)
}

func newLab(o *upOptions, bins *build.Binaries) *state.Lab {
	l := &state.Lab{
		Name: o.name, Netns: state.FabNetns(o.name), Line: o.line, LBIPAM: o.lbIPAM, Features: o.features,
		Created:     time.Now().UTC().Truncate(time.Second),
		Versions:    map[string]string{"kubernetes": bins.KubernetesVersion, "cilium": bins.CiliumVersion},
		Bin:         map[string]string{"kubernetes": bins.Kubernetes, "cilium": bins.Cilium},
		Kubeconfigs: map[string]string{},
	}
	for _, user := range state.Users {
		l.Kubeconfigs[user] = kubeconfigPath(l, user)
	}
	l.Kubeconfig = l.Kubeconfigs["admin"]
	for i := 1; i <= o.nodes; i++ {
		name := fmt.Sprintf("nd%d", i)
		l.Nodes = append(l.Nodes, state.Node{
			Name: name, IP: fmt.Sprintf("198.51.100.%d", 10+i), Netns: state.NodeNetns(o.name, name), Pod: podName(name),
		})
	}
	return l
}

// start brings up every part. What does not depend on each other starts at the
// same time: most of the time is spent on waiting for somebody.
func start(ctx context.Context, l *state.Lab, s settings) error {
	since := time.Now()
	if err := prepare(l, s); err != nil {
		return err
	}
	client, err := kube.New(l)
	if err != nil {
		return err
	}
	if _, err := startEtcd(l); err != nil {
		return err
	}
	server, err := startAPIServer(l)
	if err != nil {
		return err
	}
	jobs := []func() error{func() error { return waitAPI(ctx, server, client) }}
	for i := range l.Nodes {
		n := &l.Nodes[i]
		jobs = append(jobs, func() error {
			if err := startHolder(ctx, l, n); err != nil {
				return err
			}
			if err := fillLib(l, n); err != nil {
				return err
			}
			return startExecd(l, n)
		})
	}
	if err := Together(jobs...); err != nil {
		return err
	}
	report(since, "the API server is ready")
	if err := createObjects(ctx, l, client, s); err != nil {
		return err
	}
	report(since, "the cluster's objects are there")
	jobs = []func() error{func() error { return StartOperator(ctx, l, client) }}
	for i := range l.Nodes {
		n := &l.Nodes[i]
		jobs = append(jobs, func() error {
			if err := StartAgent(ctx, l, n); err != nil {
				return err
			}
			return SetPodReady(ctx, client, n.Pod, n.IP, true)
		})
	}
	if err := Together(jobs...); err != nil {
		return err
	}
	report(since, "operator and agents are ready")
	return l.Save()
}

// prepare makes everything that runs nothing yet.
func prepare(l *state.Lab, s settings) error {
	if err := makeNetwork(l); err != nil {
		return err
	}
	if err := writeSecrets(l); err != nil {
		return err
	}
	if err := s.write(l.Path("config")); err != nil {
		return err
	}
	for _, n := range l.Nodes {
		if err := os.MkdirAll(l.NodeDir(n.Name), 0o755); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(l.BackendsDir(), 0o755); err != nil {
		return err
	}
	return machine.LinkLLVM(l.Path("tools"))
}

// fillLib gives an agent its own copy of the datapath's sources; it writes
// beside them.
func fillLib(l *state.Lab, n *state.Node) error {
	return os.CopyFS(l.Path(n.Name, "lib", "bpf"), os.DirFS(filepath.Join(l.Bin["cilium"], "bpf")))
}

func createObjects(ctx context.Context, l *state.Lab, c *kube.Client, s settings) error {
	jobs := []func() error{
		func() error { return createCRDs(ctx, l, c) },
		func() error { return createUsers(ctx, c) },
		func() error { return createConfigMap(ctx, c, s) },
		func() error { return createOperatorPod(ctx, l, c) },
	}
	if slices.Contains(l.Features, "ingress") || slices.Contains(l.Features, "gateway") {
		jobs = append(jobs, func() error { return createSecretsNamespace(ctx, c) })
	}
	for i := range l.Nodes {
		n := &l.Nodes[i]
		jobs = append(jobs,
			func() error { return createNode(ctx, l, c, n) },
			func() error { return createAgentPod(ctx, l, c, n) })
	}
	return Together(jobs...)
}

func report(since time.Time, what string) {
	fmt.Fprintf(os.Stderr, "lab: %5.1f s  %s\n", time.Since(since).Seconds(), what)
}

// Together runs jobs side by side and returns the first one's error.
func Together(jobs ...func() error) error {
	errs := make([]error, len(jobs))
	wait := sync.WaitGroup{}
	for i, job := range jobs {
		wait.Go(func() { errs[i] = job() })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
