#!/usr/bin/env bash
# what: b claimed a port that a holds, and LB-IPAM took b's whole address away, its DNS port too
# explain: svc/b -n shop
# expect: VIP1101 missing
# frontend: 192.0.2.10:53/UDP
# nodes: programmed=0 otherOwner=0 absent=3 unknown=0
. "$(dirname "$0")/lib.sh"
begin "$@"

two_sharers

service b 53/UDP 80/TCP --share edge --address 192.0.2.10
wait_until "LB-IPAM refuses b" has_reason b already_allocated_incompatible_service
wait_until "b has no address" has_address b ""
owned_everywhere 192.0.2.10:80/TCP shop/a || die "a lost its port"
confirm
