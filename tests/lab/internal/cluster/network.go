package cluster

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"vipctl.dev/lab/internal/state"
)

// VIPRanges hold the addresses that scenarios hand out. The client sends to
// them on the bridge itself and asks by ARP who has them.
var VIPRanges = []string{"192.0.2.0/24", "203.0.113.0/24"}

// makeNetwork makes the client namespace with a bridge, and one namespace per
// node with a cable to it. No interface is ever seen outside of them.
func makeNetwork(l *state.Lab) error {
	fab := l.Netns
	lines := []string{"netns add " + fab}
	for _, n := range l.Nodes {
		lines = append(lines, "netns add "+n.Netns)
	}
	if err := IP("", lines); err != nil {
		return err
	}
	lines = []string{
		"link set lo up",
		"link add br0 type bridge forward_delay 0 mcast_snooping 0",
		"addr add " + state.FabIP + "/24 dev br0",
		"link set br0 up",
	}
	for _, n := range l.Nodes {
		lines = append(lines,
			fmt.Sprintf("link add %s type veth peer name eth0 netns %s", n.Name, n.Netns),
			fmt.Sprintf("link set %s master br0 up", n.Name))
	}
	for _, vips := range VIPRanges {
		lines = append(lines, "route add "+vips+" dev br0")
	}
	if err := IP(fab, lines); err != nil {
		return err
	}
	for _, n := range l.Nodes {
		if err := IP(n.Netns, []string{
			"link set lo up",
			"addr add " + n.IP + "/24 dev eth0",
			"link set eth0 up",
			"route add default via " + state.FabIP,
		}); err != nil {
			return err
		}
	}
	return nil
}

// IP runs lines of iproute2 inside a namespace, in one process.
func IP(netns string, lines []string) error {
	args := []string{"-batch", "-"}
	if netns != "" {
		args = append([]string{"-n", netns}, args...)
	}
	cmd := exec.Command("ip", args...)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	out := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("ip %s: %w: %s\nof: %s", strings.Join(args, " "), err, strings.TrimSpace(out.String()), strings.Join(lines, "; "))
	}
	return nil
}

// removeNetwork deletes every namespace of a lab and says how many there were.
func removeNetwork(name string) (int, error) {
	entries, err := os.ReadDir("/run/netns")
	if os.IsNotExist(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	own := regexp.MustCompile(`^vl-` + regexp.QuoteMeta(name) + `-(fab|nd[0-9]+)$`)
	lines := []string{}
	for _, e := range entries {
		if own.MatchString(e.Name()) {
			lines = append(lines, "netns del "+e.Name())
		}
	}
	if len(lines) == 0 {
		return 0, nil
	}
	return len(lines), IP("", lines)
}
