#!/usr/bin/env bash
# what: b asks for an address that a holds, and neither has a sharing key
# explain: svc/b -n shop
# expect: VIP1109 missing
# frontend: 192.0.2.10:443/TCP
# nodes: programmed=0 otherOwner=0 absent=3 unknown=0
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce
service a 80/TCP --address 192.0.2.10
backends a 80/TCP nd1
wait_until "a is satisfied" has_reason a satisfied
service b 443/TCP --address 192.0.2.10
backends b 443/TCP nd2
wait_until "LB-IPAM refuses b" has_reason b already_allocated
confirm
