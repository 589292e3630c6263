// Package state knows where a lab keeps things on disk and what it consists
// of. Everything else finds nodes, addresses and files through it.
package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"vipctl.dev/lab/internal/problem"
)

// FabIP is the address of the client namespace, where the API server listens.
const FabIP = "198.51.100.1"

// Users that the API server knows; each has a kubeconfig.
var Users = []string{"admin", "reader", "oncall", "nobody"}

// Lab is what `up` made; it is stored as lab.json and printed.
type Lab struct {
	Name        string            `json:"name"`
	Kubeconfig  string            `json:"kubeconfig"`
	Kubeconfigs map[string]string `json:"kubeconfigs"`
	Netns       string            `json:"netns"`
	Nodes       []Node            `json:"nodes"`
	Versions    map[string]string `json:"versions"`
	Line        string            `json:"line"`
	LBIPAM      bool              `json:"lbIPAM"`
	Features    []string          `json:"features"`
	Created     time.Time         `json:"created"`
	// Bin holds the lab's kubectl, cilium-dbg and the rest by directory.
	Bin map[string]string `json:"bin"`
}

// Node is one node of a lab.
type Node struct {
	Name  string `json:"name"`
	IP    string `json:"ip"`
	Netns string `json:"netns"`
	Pod   string `json:"pod"`
}

var goodName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$`)

// CheckName refuses names that would not fit in a namespace's or path's name.
func CheckName(name string) error {
	if !goodName.MatchString(name) {
		return problem.Usagef("%q is no lab name: use up to 20 lower-case letters, digits and inner dashes", name)
	}
	return nil
}

// Root is the directory of all labs.
func Root() string {
	if dir := os.Getenv("VIPCTL_LAB_STATE"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs
		}
	}
	return "/run/vipctl-lab"
}

// Dir is the directory of one lab.
func Dir(name string) string { return filepath.Join(Root(), name) }

// FabNetns is the client namespace of a lab, NodeNetns that of a node.
func FabNetns(name string) string        { return "vl-" + name + "-fab" }
func NodeNetns(name, node string) string { return "vl-" + name + "-" + node }

// Dir is the lab's directory; Path is something in it.
func (l *Lab) Dir() string { return Dir(l.Name) }
func (l *Lab) Path(parts ...string) string {
	return filepath.Join(append([]string{l.Dir()}, parts...)...)
}
func (l *Lab) NodeDir(node string) string   { return l.Path(node) }
func (l *Lab) AgentPid(node string) string  { return l.Path(node, "agent.pid") }
func (l *Lab) HolderPid(node string) string { return l.Path(node, "holder.pid") }

// ShellSock is the agent's StateDB shell socket, reachable from any namespace.
func (l *Lab) ShellSock(node string) string { return l.Path(node, "run", "shell.sock") }

// BackendsDir holds one pid file per process that plays a backend.
func (l *Lab) BackendsDir() string { return l.Path("backends") }

// PathEnv is a PATH that finds the lab's own kubectl and cilium-dbg first.
func (l *Lab) PathEnv() string {
	dirs := []string{}
	for _, dir := range l.Bin {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	sort.Strings(dirs)
	return strings.Join(append(dirs, os.Getenv("PATH")), ":")
}

// Node finds a node by its name.
func (l *Lab) Node(name string) (*Node, error) {
	names := []string{}
	for i := range l.Nodes {
		if l.Nodes[i].Name == name {
			return &l.Nodes[i], nil
		}
		names = append(names, l.Nodes[i].Name)
	}
	return nil, problem.Usagef("lab %s has no node %q, only %s", l.Name, name, strings.Join(names, " "))
}

// Load reads a lab that is up.
func Load(name string) (*Lab, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(Dir(name), "lab.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.Usagef("no lab %q is up: start it with `lab up %s`, see `lab list`", name, name)
	}
	if err != nil {
		return nil, err
	}
	l := &Lab{}
	if err := json.Unmarshal(data, l); err != nil {
		return nil, fmt.Errorf("%s/lab.json: %w (remove the lab with `lab down %s`)", Dir(name), err, name)
	}
	return l, nil
}

// Save writes lab.json; a lab with this file counts as up.
func (l *Lab) Save() error {
	data, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	tmp := l.Path("lab.json.new")
	if err := os.WriteFile(tmp, append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, l.Path("lab.json"))
}

// Names lists every lab that left a directory, complete or not.
func Names() ([]string, error) {
	entries, err := os.ReadDir(Root())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := []string{}
	for _, e := range entries {
		if e.IsDir() && goodName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}
