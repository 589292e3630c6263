#!/usr/bin/env bash
# what: b wanted to share a's address but has the same port, and silently got another one
# explain: svc/b -n shop
# expect: VIP1108 degraded
# frontend: 192.0.2.11:80/TCP
# nodes: programmed=3 otherOwner=0 absent=0 unknown=0
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.11
announce
service a 80/TCP --share edge
backends a 80/TCP nd1
wait_until "a is satisfied" has_reason a satisfied
service b 80/TCP --share edge
backends b 80/TCP nd2
wait_until "b is satisfied" has_reason b satisfied
wait_until "b's address is announced" announced b
confirm
