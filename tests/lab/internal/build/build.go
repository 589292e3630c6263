package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/problem"
)

// Binaries says where the programs of one lab are, and their versions.
type Binaries struct {
	Kubernetes, Cilium               string // directories
	KubernetesVersion, CiliumVersion string // without v
}

// Main is the command `lab build`.
func Main(args []string) error {
	flags := anyflag.New("build")
	line := flags.String("cilium", DefaultLine, "line of Cilium")
	if _, err := anyflag.Parse(flags, args, "build [--cilium LINE]", 0, 0); err != nil {
		return err
	}
	bins, err := Ensure(*line)
	if err != nil {
		return err
	}
	fmt.Printf("%s\n%s\n", bins.Kubernetes, bins.Cilium)
	return nil
}

// Ensure builds what is missing in the cache.
func Ensure(line string) (*Binaries, error) {
	ciliumPart, err := cilium(line)
	if err != nil {
		return nil, err
	}
	kubernetesPart, err := kubernetes()
	if err != nil {
		return nil, err
	}
	bins := &Binaries{
		KubernetesVersion: strings.TrimPrefix(kubernetesPart.version, "v"),
		CiliumVersion:     strings.TrimPrefix(ciliumPart.version, "v"),
	}
	if bins.Kubernetes, err = kubernetesPart.ensure(); err != nil {
		return nil, err
	}
	bins.Cilium, err = ciliumPart.ensure()
	return bins, err
}

func (c *component) ensure() (string, error) {
	dest, err := c.cacheDir()
	if err != nil {
		return "", err
	}
	if exists(dest) {
		return dest, nil
	}
	if _, err := exec.LookPath("go"); err != nil {
		return "", problem.Missingf("Go is needed to build %s %s: install it from https://go.dev/dl and put it on PATH", c.name, c.version)
	}
	if err := os.MkdirAll(CacheRoot(), 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(filepath.Join(CacheRoot(), "build.lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if exists(dest) { // somebody else built it while this one waited
		return dest, nil
	}
	return dest, c.build(dest)
}

// build fills a directory beside dest and renames it when all is there, so
// that an interrupted build is never taken for a whole one.
func (c *component) build(dest string) error {
	tmp := dest + ".part"
	if err := os.RemoveAll(tmp); err != nil {
		return err
	}
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return err
	}
	_, released, err := c.moduleInfo(c.module)
	if err != nil {
		return err
	}
	for _, name := range c.names() {
		fmt.Fprintf(os.Stderr, "lab: building %s (%s %s)…\n", name, c.name, c.version)
		start := time.Now()
		cmd := exec.Command("go", "build", "-ldflags", c.ldflags(c.version, released), "-o", filepath.Join(tmp, name), c.packages[name])
		cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, os.Stderr, os.Stderr
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("building %s from %s: %w", name, c.dir, err)
		}
		fmt.Fprintf(os.Stderr, "lab: built %s in %s\n", name, time.Since(start).Round(time.Second))
	}
	if err := c.extra(tmp); err != nil {
		return err
	}
	return os.Rename(tmp, dest)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// lock waits until no other process builds into the same cache.
func lock(path string) (func(), error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return func() { f.Close() }, nil
}
