// Package proc starts and ends the processes of a lab. They outlive the lab
// command; pid files and cgroups find them again.
package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"vipctl.dev/lab/internal/cgroup"
	"vipctl.dev/lab/internal/netns"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/state"
)

// Spec says what to start, where.
type Spec struct {
	Lab   string // name of the lab
	Part  string // cgroup of the lab it lives in: fab, nd1…
	Netns string // network namespace
	// Joins is a process whose mount and cgroup namespaces are entered, 0 for
	// none.
	Joins int
	// OwnMounts starts the process in new mount and cgroup namespaces; the root
	// of its cgroup namespace is then the cgroup of its part.
	OwnMounts bool
	Args      []string
	Env       []string // added to the environment of the lab command
	Log       string   // file for both outputs, appended to
	PidFile   string
}

// Process is a started process; Exited is closed when it ended.
type Process struct {
	Pid    int
	Exited chan struct{}
	Log    string
	name   string
}

// Start starts the process, detached from the terminal.
func Start(s Spec) (*Process, error) {
	cgroupPath, err := cgroup.Create(s.Lab, s.Part)
	if err != nil {
		return nil, err
	}
	group, err := os.Open(cgroupPath)
	if err != nil {
		return nil, err
	}
	defer group.Close()
	log, err := os.OpenFile(s.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(s.Args[0], s.Args[1:]...)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), s.Env...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, UseCgroupFD: true, CgroupFD: int(group.Fd())}
	if s.OwnMounts {
		// Unshared after the fork, when the child is in its cgroup already.
		cmd.SysProcAttr.Unshareflags = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP
	}
	if err := startIn(cmd, s); err != nil {
		return nil, fmt.Errorf("starting %s: %w", filepath.Base(s.Args[0]), err)
	}
	p := &Process{Pid: cmd.Process.Pid, Exited: make(chan struct{}), Log: s.Log, name: filepath.Base(s.Args[0])}
	go func() {
		_ = cmd.Wait()
		close(p.Exited)
	}()
	return p, os.WriteFile(s.PidFile, []byte(strconv.Itoa(p.Pid)+"\n"), 0o644)
}

// startIn forks from a thread that is inside the wanted namespaces: the child
// inherits those of the thread it was forked from.
func startIn(cmd *exec.Cmd, s Spec) error {
	return netns.Do(s.Netns, func() error {
		if s.Joins != 0 {
			if err := joinMounts(s.Joins); err != nil {
				return err
			}
		}
		return cmd.Start()
	})
}

// joinMounts moves the calling thread into the mount and cgroup namespaces of
// a process.
func joinMounts(pid int) error {
	// Threads share root and working directory; the kernel wants them apart
	// before one of them changes its mounts.
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return err
	}
	for _, ns := range []struct {
		name string
		flag int
	}{{"cgroup", unix.CLONE_NEWCGROUP}, {"mnt", unix.CLONE_NEWNS}} {
		f, err := os.Open(fmt.Sprintf("/proc/%d/ns/%s", pid, ns.name))
		if err != nil {
			return err
		}
		err = unix.Setns(int(f.Fd()), ns.flag)
		f.Close()
		if err != nil {
			return fmt.Errorf("entering the %s namespace of process %d: %w", ns.name, pid, err)
		}
	}
	return nil
}

// Running is the process of a pid file if it is alive in the lab's part, or 0.
func Running(lab, part, pidFile string) int {
	data, err := os.ReadFile(pidFile)
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil || !cgroup.Holds(lab, part, pid) {
		return 0
	}
	return pid
}

// Stop ends the process of a pid file with a signal and waits until it is
// gone; after the grace period it is killed.
func Stop(lab, part, pidFile string, sig syscall.Signal, grace time.Duration) error {
	pid := Running(lab, part, pidFile)
	if pid == 0 {
		return nil
	}
	if err := syscall.Kill(pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	// A frozen process sees the signal when it goes on.
	_ = syscall.Kill(pid, syscall.SIGCONT)
	deadline := time.Now().Add(grace)
	for Running(lab, part, pidFile) != 0 {
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			deadline = time.Now().Add(time.Hour)
		}
		time.Sleep(2 * time.Millisecond)
	}
	return nil
}

// WaitFor polls until ready says nil. It gives up when the process ended or
// the context is done, and then shows the end of the process's log.
func (p *Process) WaitFor(ctx context.Context, what string, ready func(context.Context) error) error {
	var last error
	for {
		if last = ready(ctx); last == nil {
			return nil
		}
		select {
		case <-p.Exited:
			return fmt.Errorf("%s ended before %s; the end of %s:\n%s", p.name, what, p.Log, Tail(p.Log, 15))
		case <-ctx.Done():
			return fmt.Errorf("%s: %s did not happen in time: %w; the end of %s:\n%s", p.name, what, last, p.Log, Tail(p.Log, 15))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Tail is the last lines of a file.
func Tail(file string, lines int) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// Exec replaces the lab command by another program inside a network namespace
// (and the mounts of process joins, if not 0). It returns only errors.
func Exec(l *state.Lab, ns string, joins int, args, env []string) error {
	runtime.LockOSThread()
	path, err := lookPath(args[0], env)
	if err != nil {
		return problem.Usagef("%v", err)
	}
	if err := netns.Enter(ns); err != nil {
		return fmt.Errorf("lab %s is damaged: %w (`lab down %s`)", l.Name, err, l.Name)
	}
	if joins != 0 {
		dir, _ := os.Getwd()
		if err := joinMounts(joins); err != nil {
			return err
		}
		_ = os.Chdir(dir)
	}
	return syscall.Exec(path, args, env)
}

func lookPath(name string, env []string) (string, error) {
	for _, kv := range env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			os.Setenv("PATH", path)
		}
	}
	return exec.LookPath(name)
}
