#!/usr/bin/env bash
# what: the agent of one node is dead; the others serve
# explain: svc/a -n shop
# expect: VIP2106 degraded
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=2 otherOwner=0 absent=0 unknown=1
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce
service a 80/TCP 443/TCP --share edge --address 192.0.2.10
service b 53/UDP --share edge --address 192.0.2.10
backends a "80/TCP 443/TCP" nd1 nd2
backends b "53/UDP 80/TCP" nd2 nd3
wait_until "a has 80" owned_everywhere 192.0.2.10:80/TCP shop/a
wait_until "b has 53" owned_everywhere 192.0.2.10:53/UDP shop/b
wait_until "a's address is announced" announced a
"$lab_tool" node "$lab" nd3 kill
confirm
