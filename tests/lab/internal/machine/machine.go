// Package machine says what this machine lacks to run a lab, all at once.
package machine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"vipctl.dev/lab/internal/cgroup"
	"vipctl.dev/lab/internal/problem"
)

// The agent compiles its datapath with these; distributions install them with
// the version in the name. Cilium's own images use version 19.
var (
	llvmTools    = []string{"clang", "llc", "llvm-objcopy"}
	llvmVersions = []string{"-19", "-20", "-21", "-18", ""}
	otherTools   = map[string]string{
		"ip": "iproute2", "iptables": "iptables", "ip6tables": "iptables",
		"ipset": "ipset", "modprobe": "kmod",
	}
)

// Check returns an error that names everything a lab misses here.
func Check() error {
	missing := []string{}
	if os.Geteuid() != 0 {
		missing = append(missing, "root: run the lab as root (sudo)")
	}
	if _, err := cgroup.Mount(); err != nil {
		missing = append(missing, err.Error())
	}
	filesystems, _ := os.ReadFile("/proc/filesystems")
	if !strings.Contains(string(filesystems), "\tbpf\n") {
		missing = append(missing, "a kernel with the BPF file system (CONFIG_BPF_SYSCALL)")
	}
	if _, err := os.Stat("/sys/kernel/btf/vmlinux"); err != nil {
		missing = append(missing, "a kernel with BTF (CONFIG_DEBUG_INFO_BTF)")
	}
	packages := map[string]bool{}
	for tool, pkg := range otherTools {
		if _, err := exec.LookPath(tool); err != nil && !packages[pkg] {
			packages[pkg] = true
			missing = append(missing, fmt.Sprintf("%s (Debian package %s)", tool, pkg))
		}
	}
	if _, err := findLLVM(); err != nil {
		missing = append(missing, err.Error())
	}
	if len(missing) == 0 {
		return nil
	}
	return problem.Missingf("this machine cannot run a lab, it lacks:\n  - %s\n`lab setup` installs the Debian packages",
		strings.Join(missing, "\n  - "))
}

// findLLVM returns one version's set of compiler tools.
func findLLVM() (map[string]string, error) {
	for _, version := range llvmVersions {
		found := map[string]string{}
		for _, tool := range llvmTools {
			if path, err := exec.LookPath(tool + version); err == nil {
				found[tool] = path
			}
		}
		if len(found) == len(llvmTools) {
			return found, nil
		}
	}
	return nil, fmt.Errorf("clang, llc and llvm-objcopy of one version, best 19 (Debian packages clang-19 and llvm-19)")
}

// LinkLLVM puts the compiler under its unversioned names into dir: agents look
// for those, and the machine's own choice of a default stays untouched.
func LinkLLVM(dir string) error {
	found, err := findLLVM()
	if err != nil {
		return problem.Missingf("%v", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for tool, path := range found {
		if err := os.Symlink(path, filepath.Join(dir, tool)); err != nil {
			return err
		}
	}
	return nil
}
