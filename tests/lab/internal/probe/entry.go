package probe

import (
	"fmt"
	"strings"

	"vipctl.dev/lab/internal/cluster"
	"vipctl.dev/lab/internal/state"
)

// entryMark is the mark of packets that enter by the i-th node; the routing
// table of the same number has that node as the way to every VIP.
func entryMark(i int) int { return 700 + i }

// makeEntries prepares the client namespace: without it, ARP decides by which
// node a packet enters, and it is the same one for all.
func makeEntries(l *state.Lab) error {
	lines := []string{}
	for i, node := range l.Nodes {
		for _, vips := range cluster.VIPRanges {
			lines = append(lines, fmt.Sprintf("route replace %s via %s table %d", vips, node.IP, entryMark(i)))
		}
	}
	if err := cluster.IP(l.Netns, lines); err != nil {
		return err
	}
	for i := range l.Nodes {
		rule := fmt.Sprintf("rule add fwmark %d lookup %d", entryMark(i), entryMark(i))
		if err := cluster.IP(l.Netns, []string{rule}); err != nil && !strings.Contains(err.Error(), "exists") {
			return err
		}
	}
	return nil
}
