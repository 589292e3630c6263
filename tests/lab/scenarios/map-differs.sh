#!/usr/bin/env bash
# what: one node's datapath has no entry for a port that its agent calls Done
# explain: svc/a -n shop --deep
# expect: VIP2105 degraded
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=3 otherOwner=0 absent=0 unknown=0
#
# The agent does not read its maps back: it writes an entry when the row in its
# table changes, and now and then deletes entries that it does not know. So this
# one is gone until the Service changes or the agent restarts; seen on 1.20.2.
# The entries of the backends, slots 1 and up, stay.
. "$(dirname "$0")/lib.sh"
begin "$@"

two_sharers
wait_until "a's address is announced" announced a
"$lab_tool" node "$lab" nd3 drop-entry 192.0.2.10:80/TCP
confirm >/dev/null # takes a few seconds, in which an entry could come back

entries=$("$lab_tool" run "$lab" --node nd3 -- cilium-dbg bpf lb list)
grep -F "192.0.2.10:443/TCP (0)" <<<"$entries" >/dev/null || die "nd3's map is not readable: $entries"
! grep -F "192.0.2.10:80/TCP (0)" <<<"$entries" || die "nd3's agent wrote the entry again"
header what
