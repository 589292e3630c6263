package fault

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/proc"
	"vipctl.dev/lab/internal/state"
)

const servicesMap = "/sys/fs/bpf/tc/globals/cilium_lb4_services_v2"

// serviceKey is the datapath's struct lb4_key, byte by byte.
type serviceKey [12]byte

// masterKey is the key of the entry in slot 0, where every packet from outside
// looks first: scope 0 is the outside, slots from 1 on lead to the backends.
func masterKey(address netip.AddrPort, proto uint8) serviceKey {
	var key serviceKey
	ip := address.Addr().As4()
	copy(key[0:4], ip[:])
	binary.BigEndian.PutUint16(key[4:6], address.Port())
	key[8] = proto
	return key
}

func parseFrontend(text string) (serviceKey, error) {
	target, proto, _ := strings.Cut(text, "/")
	number, known := map[string]uint8{"TCP": unix.IPPROTO_TCP, "UDP": unix.IPPROTO_UDP}[strings.ToUpper(proto)]
	address, err := netip.ParseAddrPort(target)
	if err != nil || !known || !address.Addr().Is4() {
		return serviceKey{}, problem.Usagef("drop-entry %q: write an IPv4 frontend as VIP:PORT/TCP or VIP:PORT/UDP", text)
	}
	return masterKey(address, number), nil
}

// dropEntry takes a frontend out of a node's datapath behind the agent's back:
// its tables go on saying Done. The agent writes the entry again when the
// Service changes or the agent restarts.
func dropEntry(l *state.Lab, n *state.Node, rest []string) error {
	if len(rest) != 1 {
		return problem.Usagef(nodeUsage)
	}
	key, err := parseFrontend(rest[0])
	if err != nil {
		return err
	}
	holder := proc.Running(l.Name, n.Name, l.HolderPid(n.Name))
	if holder == 0 {
		return fmt.Errorf("the namespaces of node %s are gone: `lab down %s`, then start anew", n.Name, l.Name)
	}
	// The holder's root shows the node's own BPF file system.
	services, err := ebpf.LoadPinnedMap(fmt.Sprintf("/proc/%d/root%s", holder, servicesMap), nil)
	if err != nil {
		return fmt.Errorf("the service map of %s: %w", n.Name, err)
	}
	defer services.Close()
	if size := services.KeySize(); int(size) != len(key) {
		return fmt.Errorf("the service map of %s has keys of %d bytes, not %d: this line of Cilium has another layout", n.Name, size, len(key))
	}
	err = services.Delete(key)
	if errors.Is(err, ebpf.ErrKeyNotExist) {
		return fmt.Errorf("%s has no entry for %s; `lab run %s --node %s -- cilium-dbg bpf lb list` shows those it has", n.Name, rest[0], l.Name, n.Name)
	}
	if err != nil {
		return fmt.Errorf("deleting the entry for %s on %s: %w", rest[0], n.Name, err)
	}
	return nil
}
