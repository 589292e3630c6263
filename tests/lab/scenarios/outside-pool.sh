#!/usr/bin/env bash
# what: a asks for an address that is in no pool
# explain: svc/a -n shop
# expect: VIP1105 missing
# frontend: 203.0.113.77:80/TCP
# nodes: programmed=0 otherOwner=0 absent=3 unknown=0
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce
service a 80/TCP --address 203.0.113.77
backends a 80/TCP nd1
wait_until "LB-IPAM refuses a" has_reason a no_pool
confirm
