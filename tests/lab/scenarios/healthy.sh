#!/usr/bin/env bash
# what: two Services share an address, and every node forwards all their ports
# explain: svc/a -n shop
# expect: - healthy
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=3 otherOwner=0 absent=0 unknown=0
. "$(dirname "$0")/lib.sh"
begin "$@"

two_sharers
wait_until "a's address is announced" announced a
wait_until "b's address is announced" announced b
wait_until "a answers on 80" answers 192.0.2.10:80/TCP
wait_until "b answers on 53" answers 192.0.2.10:53/UDP
confirm
