#!/usr/bin/env bash
# what: every node has the frontend, and nothing is behind it
# explain: svc/a -n shop
# expect: VIP3101 unreachable
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=3 otherOwner=0 absent=0 unknown=0
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce
service a 80/TCP --address 192.0.2.10
wait_until "a's address is announced" announced a
confirm
