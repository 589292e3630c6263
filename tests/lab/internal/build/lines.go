// Package build makes the binaries that a lab runs, from modules that pin
// their versions, and keeps them in a cache outside the source tree.
package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"vipctl.dev/lab/internal/problem"
)

// DefaultLine is the line of Cilium that is run unless another one is named.
const DefaultLine = "1.20"

// component is one module under lines/ and what is built from it.
type component struct {
	name     string // name of its directory in the cache
	dir      string // folder of the module
	module   string // the module whose version is the component's version
	version  string // with the v
	packages map[string]string
	// ldflags sets the versions the binaries tell; made from the version and
	// the day it was released.
	ldflags func(version, released string) string
	// extra copies further files of the module into the cache.
	extra func(dest string) error
}

// layout changes when a component's directory holds other files than before.
const layout = 2

// Home is the folder tests/lab.
func Home() string { return os.Getenv("VIPCTL_LAB_HOME") }

// CheckLine refuses a line of Cilium that has no folder.
func CheckLine(line string) error {
	entries, err := os.ReadDir(filepath.Join(Home(), "lines"))
	if err != nil {
		return err
	}
	known := []string{}
	for _, e := range entries {
		if name, ok := strings.CutPrefix(e.Name(), "cilium-"); ok {
			known = append(known, name)
		}
	}
	for _, name := range known {
		if name == line {
			return nil
		}
	}
	return problem.Usagef("no Cilium line %q; there are: %s (a line is a folder tests/lab/lines/cilium-LINE)",
		line, strings.Join(known, " "))
}

func kubernetes() (*component, error) {
	c := &component{
		name:   "kubernetes",
		dir:    filepath.Join(Home(), "lines", "kubernetes"),
		module: "k8s.io/kubernetes",
		packages: map[string]string{
			"etcd":           "go.etcd.io/etcd/server/v3",
			"kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
			"kubectl":        "k8s.io/kubernetes/cmd/kubectl",
		},
		ldflags: func(version, released string) string {
			parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
			flags := "-s -w"
			for _, kv := range [][2]string{
				{"gitVersion", version}, {"gitMajor", parts[0]}, {"gitMinor", parts[1]},
				{"gitTreeState", "clean"}, {"buildDate", released},
			} {
				flags += fmt.Sprintf(" -X k8s.io/component-base/version.%s=%s", kv[0], kv[1])
			}
			return flags
		},
		extra: func(string) error { return nil },
	}
	return c, c.readVersion()
}

func cilium(line string) (*component, error) {
	if err := CheckLine(line); err != nil {
		return nil, err
	}
	c := &component{
		name:   "cilium",
		dir:    filepath.Join(Home(), "lines", "cilium-"+line),
		module: "github.com/cilium/cilium",
		packages: map[string]string{
			// The operator's file name becomes the field manager of what it
			// writes, so it is called as in Cilium's images.
			"cilium-operator-generic": "github.com/cilium/cilium/operator",
			"cilium-agent":            "github.com/cilium/cilium/daemon",
			"cilium-dbg":              "github.com/cilium/cilium/cilium-dbg",
		},
		ldflags: func(version, released string) string {
			// The third word but one is a commit in released binaries; a module
			// does not carry it.
			text := fmt.Sprintf("%s lab %s", strings.TrimPrefix(version, "v"), released)
			return fmt.Sprintf("-s -w -X 'github.com/cilium/cilium/pkg/version.ciliumVersion=%s'", text)
		},
	}
	c.extra = c.copyCiliumFiles
	return c, c.readVersion()
}

// readVersion takes the version from the component's go.mod.
func (c *component) readVersion() error {
	file := filepath.Join(c.dir, "go.mod")
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m := regexp.MustCompile(`(?m)^(?:require)?\s*` + regexp.QuoteMeta(c.module) + ` (v\S+)`).FindSubmatch(data)
	if m == nil {
		return fmt.Errorf("%s does not require %s", file, c.module)
	}
	c.version = string(m[1])
	return nil
}

// cacheDir is where the component's binaries are; its name changes whenever
// the module's folder or the way of building changes.
func (c *component) cacheDir() (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(c.dir, path)
		fmt.Fprintf(sum, "%s %d\n", rel, len(data))
		sum.Write(data)
		return err
	})
	if err != nil {
		return "", err
	}
	fmt.Fprintln(sum, layout, c.ldflags(c.version, "DATE"), c.names())
	name := fmt.Sprintf("%s-%s-%s", c.name, strings.TrimPrefix(c.version, "v"), hex.EncodeToString(sum.Sum(nil))[:12])
	return filepath.Join(CacheRoot(), name), nil
}

// CacheRoot is the directory of everything that was built.
func CacheRoot() string {
	if dir := os.Getenv("VIPCTL_LAB_CACHE"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/root"
	}
	return filepath.Join(home, ".cache", "vipctl-lab")
}

func (c *component) names() []string {
	names := []string{}
	for name := range c.packages {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// moduleInfo is what the go command knows about a module that the component
// uses: where its sources are, and when it was released.
func (c *component) moduleInfo(module string) (dir, released string, err error) {
	cmd := exec.Command("go", "mod", "download", module)
	cmd.Dir, cmd.Stderr = c.dir, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", "", fmt.Errorf("downloading %s: %w", module, err)
	}
	cmd = exec.Command("go", "list", "-m", "-json", module)
	cmd.Dir, cmd.Stderr = c.dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", "", fmt.Errorf("finding the module %s: %w", module, err)
	}
	info := struct{ Dir, Time string }{}
	if err := json.Unmarshal(out, &info); err != nil {
		return "", "", err
	}
	return info.Dir, info.Time, nil
}
