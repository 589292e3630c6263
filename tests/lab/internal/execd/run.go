package execd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// How long a killed command may keep its pipes open.
const drainTime = time.Second

// How soon a command that runs already feels a fault.
const faultTime = 100 * time.Millisecond

// ExecInContainer runs argv where the agent lives: its mount namespace, which
// is where its sockets and its bpffs are, and its network namespace.
func (s *server) ExecInContainer(ctx context.Context, _ string, _ types.UID, _ string, argv []string,
	in io.Reader, out, errOut io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize, _ time.Duration) error {
	faults, err := readFaults(s.faultFile())
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	conn := connOf(ctx)
	if conn == nil {
		return errors.New("exec request without a connection")
	}
	go func() {
		defer stop()
		for !s.silenced() {
			select {
			case <-conn.gone:
				return
			case <-ctx.Done():
				return
			case <-time.After(faultTime):
			}
		}
		conn.cut()
	}()
	if !pause(ctx, time.Duration(faults.DelayMs)*time.Millisecond) {
		return ctx.Err()
	}
	if s.silenced() {
		conn.cut()
		return errCut
	}
	cmd, err := s.command(ctx, argv)
	if err != nil {
		return err
	}
	if out != nil {
		cmd.Stdout = out
		if faults.CutAfter != nil {
			cmd.Stdout = &cutter{out: out, left: *faults.CutAfter, cut: conn.cut}
		}
	}
	if errOut != nil {
		cmd.Stderr = errOut
	}
	return run(cmd, in)
}

// silenced says whether not a byte may leave the node: `cut-exec 0` also ends
// what is under way.
func (s *server) silenced() bool {
	faults, err := readFaults(s.faultFile())
	return err == nil && faults.CutAfter != nil && *faults.CutAfter == 0
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// command prepares argv without starting it. A program that does not exist is
// an error of the container runtime, not an exit code: clients that try
// `cilium-dbg` and then `cilium` see the same as on a real node.
func (s *server) command(ctx context.Context, argv []string) (*exec.Cmd, error) {
	pid, err := s.agentPid()
	if err != nil {
		return nil, err
	}
	if len(argv) == 0 {
		return nil, errors.New("no command was given")
	}
	if !strings.Contains(argv[0], "/") && !s.onPath(argv[0]) {
		return nil, fmt.Errorf("failed to exec in container: OCI runtime exec failed: exec failed: "+
			"unable to start container process: exec: %q: executable file not found in $PATH", argv[0])
	}
	args := append([]string{"-t", strconv.Itoa(pid), "-m", "-n", "--"}, argv...)
	cmd := exec.CommandContext(ctx, "nsenter", args...)
	cmd.Env = []string{"PATH=" + s.path(), "HOME=/root", "K8S_NODE_NAME=" + s.node}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = drainTime
	return cmd, nil
}

func (s *server) path() string {
	return s.binDir + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
}

func (s *server) onPath(name string) bool {
	for _, dir := range strings.Split(s.path(), ":") {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode()&0o111 != 0 {
			return true
		}
	}
	return false
}

// run starts cmd and waits for its end, not for the end of the client's
// stdin: a client that keeps stdin open must still learn the exit code.
func run(cmd *exec.Cmd, in io.Reader) error {
	if in != nil {
		stdin, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		go func() {
			io.Copy(stdin, in)
			stdin.Close()
		}()
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code := exit.ExitCode()
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			code = 128 + int(status.Signal())
		}
		return utilexec.CodeExitError{Err: err, Code: code}
	}
	return err
}
