#!/usr/bin/env bash
# what: the cluster has no pool, so LB-IPAM sleeps and says nothing at all
# explain: svc/a -n shop
# expect: VIP1103 missing
# frontend: -
# nodes: -
. "$(dirname "$0")/lib.sh"
begin "$@"

announce
service a 80/TCP
backends a 80/TCP nd1
stays has_reason a "" || die "LB-IPAM said $(reason_of a)"
confirm
