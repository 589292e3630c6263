package build

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
)

// schemaVersion is the constant by which Cilium's operator decides whether a
// CRD in the cluster is current.
var schemaVersion = regexp.MustCompile(`CustomResourceDefinitionSchemaVersion = "([^"]+)"`)

// copyCiliumFiles takes what a running lab reads from Cilium's sources: the
// datapath's C files, the CRDs with their schema version, and those of
// the Gateway API.
func (c *component) copyCiliumFiles(dest string) error {
	moduleDir, _, err := c.moduleInfo(c.module)
	if err != nil {
		return err
	}
	bpf := filepath.Join(dest, "bpf")
	if err := os.CopyFS(bpf, os.DirFS(filepath.Join(moduleDir, "bpf"))); err != nil {
		return err
	}
	if err := makeWritable(bpf); err != nil {
		return err
	}
	for _, unused := range []string{"tests", "complexity-tests", "test-progs"} {
		if err := os.RemoveAll(filepath.Join(bpf, unused)); err != nil {
			return err
		}
	}
	apis := filepath.Join(moduleDir, "pkg", "k8s", "apis", "cilium.io")
	if err := copyFiles(filepath.Join(apis, "client", "crds", "*", "*.yaml"), filepath.Join(dest, "crds")); err != nil {
		return err
	}
	gateway, _, err := c.moduleInfo("sigs.k8s.io/gateway-api")
	if err != nil {
		return err
	}
	if err := copyFiles(filepath.Join(gateway, "config", "crd", "experimental", "gateway*.yaml"), filepath.Join(dest, "gateway-crds")); err != nil {
		return err
	}
	source, err := os.ReadFile(filepath.Join(apis, "register.go"))
	if err != nil {
		return err
	}
	m := schemaVersion.FindSubmatch(source)
	if m == nil {
		return fmt.Errorf("no CRD schema version in %s/register.go", apis)
	}
	return os.WriteFile(filepath.Join(dest, "crds", "schema-version"), m[1], 0o644)
}

// copyFiles copies what a pattern finds; nothing found is an error.
func copyFiles(pattern, dest string) error {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no files %s (%v)", pattern, err)
	}
	for _, file := range files {
		if err := copyFile(file, filepath.Join(dest, filepath.Base(file))); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	_, err = io.Copy(out, in)
	return err
}

// makeWritable undoes the read-only modes of Go's module cache.
func makeWritable(dir string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
}
