package timeline

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
)

// Both forms of a row that agents print, cut down to what is read.
const twoForms = `{
  "Address": "192.0.2.10:80/TCP", "Type": "LoadBalancer", "ServiceName": "shop/a",
  "Status": {"updated-at": "2026-01-02T03:04:05Z", "id": 7, "kind": "Done"}, "Backends": [{}], "ID": 7
}
{
  "Address": {"AddrCluster": "2001:db8::1", "Protocol": "UDP", "Port": 53, "Scope": 1}, "Type": "LoadBalancer",
  "ServiceName": {"Namespace": "shop", "Name": "b", "Cluster": ""},
  "Status": {"kind": "Pending"}, "Backends": null, "ID": 0
}
`

func TestRowsOfBothForms(t *testing.T) {
	rows, err := parseRows(twoForms)
	if err != nil {
		t.Fatal(err)
	}
	want := []row{
		{"192.0.2.10:80/TCP", "LoadBalancer", "shop/a", "Done", 7, 1, "2026-01-02T03:04:05Z"},
		{"[2001:db8::1]:53/UDP/i", "LoadBalancer", "shop/b", "Pending", 0, 0, ""},
	}
	if len(rows) != 2 || rows[0] != want[0] || rows[1] != want[1] {
		t.Errorf("got %+v", rows)
	}
	if _, err := parseRows("table \"frontends\" not found"); err == nil {
		t.Error("an error text passed as rows")
	}
}

func kinds(events []Event) string {
	all := []string{}
	for _, e := range events {
		all = append(all, e.Kind)
	}
	return strings.Join(all, " ")
}

func TestHistory(t *testing.T) {
	a := row{Address: "192.0.2.10:80/TCP", Type: "LoadBalancer", Owner: "shop/a", Status: "Done"}
	b := a
	b.Owner = "shop/b"
	clusterIP := row{Address: "10.96.0.1:443/TCP", Type: "ClusterIP"}
	h := history{node: "nd1"}
	for i, step := range []struct {
		rows []row
		err  error
		want string
	}{
		{[]row{a, clusterIP}, nil, "appeared"},
		{[]row{a}, nil, ""},
		{[]row{b}, nil, "changed"},
		{nil, errors.New("refused"), "unreadable"},
		{nil, errors.New("refused"), ""},
		{[]row{b}, nil, "readable"},
		{nil, nil, "gone"},
		{nil, nil, ""},
	} {
		if got := kinds(h.compare(step.rows, step.err)); got != step.want {
			t.Errorf("step %d: got %q, want %q", i, got, step.want)
		}
	}
	empty := history{node: "nd1"}
	if got := kinds(empty.compare(nil, nil)); got != "none" {
		t.Errorf("an empty first look says %q", got)
	}
}

func TestShellReadsUntilTheMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shell.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		in := bufio.NewScanner(conn)
		for in.Scan() {
			if in.Text() == "bad" {
				fmt.Fprintf(conn, "[stdout]\nno such table%s\n", errorMark)
				continue
			}
			fmt.Fprintf(conn, "[stdout]\n{\n}\n%s\n", endMark)
		}
	}()
	s := &shell{path: path}
	defer s.close()
	for range 2 {
		if out, err := s.query("good"); err != nil || out != "{\n}\n" {
			t.Errorf("got %q, %v", out, err)
		}
	}
	if _, err := s.query("bad"); err == nil || err.Error() != "no such table" {
		t.Errorf("got %v", err)
	}
}
