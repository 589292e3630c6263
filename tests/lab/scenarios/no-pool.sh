#!/usr/bin/env bash
# what: there is a pool, but it selects other Services
# explain: svc/a -n shop
# expect: VIP1103 missing
# frontend: -
# nodes: -
. "$(dirname "$0")/lib.sh"
begin "$@"

pool inside 192.0.2.10 192.0.2.19 tier=internal
announce
service a 80/TCP --label tier=edge
backends a 80/TCP nd1
wait_until "LB-IPAM refuses a" has_reason a no_pool
confirm
