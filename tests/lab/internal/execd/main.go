// Package execd is what a kubelet would be for the API server: the end of
// `kubectl exec` and `kubectl logs` on one node. The protocol is the kubelet's
// own code; only where a command runs and what may go wrong is the lab's.
package execd

import (
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	remotecommandconsts "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/kubelet/pkg/cri/streaming/remotecommand"

	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

const (
	address        = "0.0.0.0:10250"
	agentContainer = "cilium-agent"
	idleTimeout    = 4 * time.Hour
	streamsTimeout = 30 * time.Second
)

type server struct {
	dir      string // of the lab
	node     string
	pidFile  string // of the agent
	binDir   string // where cilium-dbg is
	selfName string // of the lab
}

// Main serves until it is killed with its lab.
func Main(args []string) error {
	var s server
	set := flag.NewFlagSet("execd", flag.ContinueOnError)
	set.StringVar(&s.dir, "state", "", "directory of the lab")
	set.StringVar(&s.node, "node", "", "node to answer for")
	set.StringVar(&s.pidFile, "agent-pid-file", "", "file with the agent's process id")
	set.StringVar(&s.binDir, "path", "", "directory with cilium-dbg")
	if err := set.Parse(args); err != nil {
		return problem.Usagef("execd: %v", err)
	}
	if s.dir == "" || s.node == "" || s.pidFile == "" || s.binDir == "" {
		return problem.Usagef("execd needs --state, --node, --agent-pid-file and --path; `lab up` starts it")
	}
	s.selfName = filepath.Base(s.dir)
	cert, err := selfSigned(s.node)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	web := &http.Server{
		Handler:     s.routes(),
		ConnContext: withConn,
		// No HTTP/2: exec upgrades a connection of its own.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	config := &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"http/1.1"}}
	return web.Serve(tls.NewListener(watchedListener{listener}, config))
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") })
	mux.HandleFunc("/exec/{ns}/{pod}/{container}", s.serveExec)
	mux.HandleFunc("GET /containerLogs/{ns}/{pod}/{container}", s.serveLogs)
	return mux
}

// serveExec refuses what a kubelet refuses, in its words, before any stream is
// opened; then it hands over to the kubelet's own code.
func (s *server) serveExec(w http.ResponseWriter, r *http.Request) {
	container := r.PathValue("container")
	if !s.isAgentPod(r.PathValue("ns"), r.PathValue("pod")) {
		http.Error(w, "pod does not exist", http.StatusNotFound)
		return
	}
	if _, err := s.agentPid(); container != agentContainer || err != nil {
		http.Error(w, fmt.Sprintf("container not found (%q)", container), http.StatusInternalServerError)
		return
	}
	options, err := remotecommand.NewOptions(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	remotecommand.ServeExec(w, r, s, r.PathValue("pod"), types.UID(""), container, r.Form["command"],
		options, idleTimeout, streamsTimeout, remotecommandconsts.SupportedStreamingProtocols)
}

// isAgentPod looks the pod up in lab.json, anew each time: execd starts before
// the lab is complete.
func (s *server) isAgentPod(ns, pod string) bool {
	raw, err := os.ReadFile(filepath.Join(s.dir, "lab.json"))
	if err != nil {
		return false
	}
	var lab state.Lab
	if json.Unmarshal(raw, &lab) != nil {
		return false
	}
	node, err := lab.Node(s.node)
	return err == nil && ns == "kube-system" && pod == node.Pod
}

// agentPid is the living agent; a frozen one is alive.
func (s *server) agentPid() (int, error) {
	if pid := proc.Running(s.selfName, s.node, s.pidFile); pid != 0 {
		return pid, nil
	}
	return 0, fmt.Errorf("container not found (%q)", agentContainer)
}

func (s *server) faultFile() string { return filepath.Join(s.dir, s.node, "exec.json") }

// logFile finds the file behind a container; the operator's Pod may sit on any
// node.
func (s *server) logFile(ns, pod, container string) (string, error) {
	switch {
	case s.isAgentPod(ns, pod) && container == agentContainer:
		return filepath.Join(s.dir, s.node, "agent.log"), nil
	case ns == "kube-system" && strings.HasPrefix(pod, "cilium-operator-") && container == "cilium-operator":
		return filepath.Join(s.dir, "cilium-operator-generic.log"), nil
	}
	return "", fmt.Errorf("container %q in pod %q is not available", container, pod)
}
