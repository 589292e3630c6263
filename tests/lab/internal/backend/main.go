// Package backend plays the pod behind a Service: a small server on a node
// that says who it is.
package backend

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

const usage = "backend NAME NODE PORT TEXT [--udp]"

// Main starts a server for a node of a lab, or with --serve is that server.
func Main(args []string) error {
	if len(args) > 0 && args[0] == "--serve" {
		return serve(args[1:])
	}
	var udp bool
	set := anyflag.New("backend")
	set.BoolVar(&udp, "udp", false, "answer datagrams instead of connections")
	rest, err := anyflag.Parse(set, args, usage, 4, 4)
	if err != nil {
		return err
	}
	lab, err := state.Load(rest[0])
	if err != nil {
		return err
	}
	node, err := lab.Node(rest[1])
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(rest[2])
	if err != nil || port < 1 || port > 65535 {
		return problem.Usagef("%q is not a port (1 to 65535)", rest[2])
	}
	network := "tcp"
	if udp {
		network = "udp"
	}
	return start(lab, node, network, port, rest[3])
}

// start runs the server detached, as a process of the lab's client side: it
// outlives this command and ends with `reset` or `down`.
func start(lab *state.Lab, node *state.Node, network string, port int, text string) error {
	if err := os.MkdirAll(lab.BackendsDir(), 0o755); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	base := filepath.Join(lab.BackendsDir(), fmt.Sprintf("%s-%d-%s", node.Name, port, network))
	address := net.JoinHostPort(node.IP, strconv.Itoa(port))
	if proc.Running(lab.Name, "fab", base+".pid") != 0 {
		return fmt.Errorf("a backend on %s/%s runs already: take another port, or `lab reset %s`", address, network, lab.Name)
	}
	os.Remove(base + ".log")
	p, err := proc.Start(proc.Spec{
		Lab: lab.Name, Part: "fab", Netns: node.Netns,
		Args: []string{self, "backend", "--serve", network, address, text},
		Log:  base + ".log", PidFile: base + ".pid",
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	listens := func(context.Context) error {
		said, err := os.ReadFile(base + ".log")
		if err == nil && string(said) != listening(network, address) {
			err = errors.New("it does not listen yet")
		}
		return err
	}
	if err := p.WaitFor(ctx, "listening on "+address, listens); err != nil {
		os.Remove(base + ".pid")
		return err
	}
	fmt.Println(address)
	return nil
}

func listening(network, address string) string {
	return fmt.Sprintf("listening on %s/%s\n", address, network)
}

func serve(args []string) error {
	if len(args) != 3 {
		return problem.Usagef("--serve is for the lab itself; usage: lab %s", usage)
	}
	network, address, text := args[0], args[1], args[2]+"\n"
	if network == "udp" {
		return serveUDP(address, text)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Print(listening(network, address))
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go answer(conn, text)
	}
}

// answer says the text at once and again for every line it gets, so that a
// client can also ask a connection it keeps open who is behind it.
func answer(conn net.Conn, text string) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for {
		if _, err := conn.Write([]byte(text)); err != nil || !lines.Scan() {
			return
		}
	}
}

func serveUDP(address, text string) error {
	conn, err := net.ListenPacket("udp", address)
	if err != nil {
		return err
	}
	fmt.Print(listening("udp", address))
	buffer := make([]byte, 64<<10)
	for {
		_, from, err := conn.ReadFrom(buffer)
		if err != nil {
			return err
		}
		// A client that is gone already is no reason to stop.
		_, _ = conn.WriteTo([]byte(text), from)
	}
}
