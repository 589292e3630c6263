// Package cgroup gives every lab a subtree of the cgroup2 hierarchy. Killing
// the subtree ends every process of a lab, whatever became of pid files.
package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"vipctl.dev/lab/internal/problem"
)

const top = "vipctl-lab"

// Mount is where the cgroup2 hierarchy is mounted; on machines that still have
// version 1 controllers this is not /sys/fs/cgroup itself.
func Mount() (string, error) {
	data, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 2 && f[2] == "cgroup2" {
			return f[1], nil
		}
	}
	return "", problem.Missingf("no cgroup2 hierarchy is mounted: mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified")
}

// Path is the cgroup of a lab ("" for part) or of its part (fab, nd1…).
func Path(lab, part string) (string, error) {
	mount, err := Mount()
	return filepath.Join(mount, top, lab, part), err
}

// Create makes the cgroup of a part of a lab.
func Create(lab, part string) (string, error) {
	path, err := Path(lab, part)
	if err != nil {
		return "", err
	}
	return path, os.MkdirAll(path, 0o755)
}

// Holds says whether a process is alive in the cgroup of a lab's part, so that
// a pid file never leads to a process that merely got the same number.
func Holds(lab, part string, pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(data)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			return strings.HasSuffix(path, filepath.Join("/", top, lab, part)) && !zombie(pid)
		}
	}
	return false
}

func zombie(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.HasPrefix(rest, "Z") || strings.HasPrefix(rest, "X")
}

// Pids lists the processes of a lab's part, itself only.
func Pids(lab, part string) []int {
	path, err := Path(lab, part)
	if err != nil {
		return nil
	}
	data, _ := os.ReadFile(filepath.Join(path, "cgroup.procs"))
	pids := []int{}
	for _, f := range strings.Fields(string(data)) {
		if pid, err := strconv.Atoi(f); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Destroy kills every process of a lab and removes its cgroups. It says
// whether there was anything.
func Destroy(lab string) (bool, error) {
	path, err := Path(lab, "")
	if err != nil {
		return false, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err := os.WriteFile(filepath.Join(path, "cgroup.kill"), []byte("1"), 0); err != nil {
		return true, fmt.Errorf("killing the processes of lab %s: %w", lab, err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		// A cgroup can be removed once the last process in it is really gone.
		if err = removeTree(path); err == nil {
			break
		}
		if time.Now().After(deadline) {
			return true, fmt.Errorf("processes of lab %s do not end: %w", lab, err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	// The parent goes with the last lab; while others live, this fails.
	_ = os.Remove(filepath.Dir(path))
	return true, nil
}

func removeTree(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := removeTree(filepath.Join(path, e.Name())); err != nil {
				return err
			}
		}
	}
	return os.Remove(path)
}
