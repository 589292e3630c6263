package cut

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"vipctl.dev/lab/internal/netns"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/state"
)

// Report says what a command wrote; field names stay.
type Report struct {
	Exit int `json:"exit"` // 128 and the signal's number where one ended it
	// Writes are those that change something that stays, in order.
	Writes []*Write `json:"writes"`
	// Cut says whether the plan's write came at all.
	Cut bool `json:"cut"`
}

// Run runs a command in the client namespace as a user, behind a proxy that
// follows the plan, writes the report to a file (or a line of it to stderr)
// and passes on the command's exit code.
func Run(l *state.Lab, plan Plan, user string, command, env []string, report string) error {
	listener, err := listen(l)
	if err != nil {
		return err
	}
	defer listener.Close()
	config, err := kubeconfig(l, user, listener.Addr().String())
	if err != nil {
		return err
	}
	defer os.Remove(config)
	_ = os.Setenv("PATH", l.PathEnv())
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(env, "KUBECONFIG="+config)
	// A group of its own, so that a kill takes its children with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	gone := make(chan struct{})
	p, err := newProxy(l, plan)
	if err != nil {
		return err
	}
	p.signal = func(s os.Signal) { _ = syscall.Kill(-cmd.Process.Pid, s.(syscall.Signal)) }
	p.kill = func() { p.signal(syscall.SIGKILL); <-gone }
	if err := netns.Do(l.Netns, cmd.Start); err != nil {
		return problem.Usagef("%v", err)
	}
	p.began = time.Now()
	server := &http.Server{
		Handler: p, TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() { _ = server.Serve(listener) }()
	passOn(p)
	err = cmd.Wait()
	close(gone)
	_ = server.Close()
	p.held.Wait()
	code, err := exitCode(err)
	if err != nil {
		return err
	}
	if err := p.report(code, report); err != nil {
		return err
	}
	return problem.Exit(code)
}

// listen opens the proxy's port inside the client namespace. The API server's
// own certificate is good for 127.0.0.1, too.
func listen(l *state.Lab) (net.Listener, error) {
	cert, err := tls.LoadX509KeyPair(l.Path("pki", "apiserver.crt"), l.Path("pki", "apiserver.key"))
	if err != nil {
		return nil, err
	}
	var inner net.Listener
	err = netns.Do(l.Netns, func() (err error) {
		inner, err = net.Listen("tcp", "127.0.0.1:0")
		return err
	})
	if err != nil {
		return nil, err
	}
	// HTTP/1.1 alone: exec takes a connection for itself.
	return tls.NewListener(inner, &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"http/1.1"}}), nil
}

func kubeconfig(l *state.Lab, user, address string) (string, error) {
	text, err := os.ReadFile(l.Kubeconfigs[user])
	if err != nil {
		return "", err
	}
	file := l.Path(fmt.Sprintf("kubeconfig-cut-%d", os.Getpid()))
	changed := strings.Replace(string(text), "https://"+state.FabIP+":6443", "https://"+address, 1)
	return file, os.WriteFile(file, []byte(changed), 0o600)
}

func newProxy(l *state.Lab, plan Plan) (*proxy, error) {
	ca, err := os.ReadFile(l.Path("pki", "ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	return &proxy{
		plan: plan,
		to:   &url.URL{Scheme: "https", Host: state.FabIP + ":6443"},
		via: &http.Transport{
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				return netns.Dial(ctx, l.Netns, network, addr)
			},
			TLSClientConfig:     &tls.Config{RootCAs: pool, NextProtos: []string{"http/1.1"}},
			MaxIdleConnsPerHost: 32,
			DisableCompression:  true,
		},
	}, nil
}

// passOn hands the signals that this process gets to the command, which is in
// another group.
func passOn(p *proxy) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		for s := range signals {
			p.signal(s)
		}
	}()
}

func exitCode(err error) (int, error) {
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return 0, err
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}

func (p *proxy) report(code int, file string) error {
	p.lock.Lock()
	defer p.lock.Unlock()
	r := Report{Exit: code, Writes: p.writes, Cut: len(p.writes) >= p.plan.N}
	if file == "" {
		what := "not reached"
		if r.Cut {
			w := p.writes[p.plan.N-1]
			what = fmt.Sprintf("%s %s, answer %d", w.Method, w.Path, w.Status)
		}
		fmt.Fprintf(os.Stderr, "lab: %d writes; number %d (%s): %s\n", len(p.writes), p.plan.N, p.plan.How, what)
		return nil
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}
