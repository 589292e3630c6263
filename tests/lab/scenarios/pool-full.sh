#!/usr/bin/env bash
# what: the pool has no address left for c
# explain: svc/c -n shop
# expect: VIP1104 missing
# frontend: -
# nodes: -
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.11
announce
service a 80/TCP
service b 80/TCP
wait_until "a is satisfied" has_reason a satisfied
wait_until "b is satisfied" has_reason b satisfied
service c 80/TCP
backends c 80/TCP nd1
wait_until "LB-IPAM refuses c" has_reason c out_of_ips
confirm
