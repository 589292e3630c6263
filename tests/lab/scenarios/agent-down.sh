#!/usr/bin/env bash
# what: the agent of one node is dead; the others serve
# explain: svc/a -n shop
# expect: VIP2106 degraded
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=2 otherOwner=0 absent=0 unknown=1
. "$(dirname "$0")/lib.sh"
begin "$@"

two_sharers
wait_until "a's address is announced" announced a
"$lab_tool" node "$lab" nd3 kill
confirm
