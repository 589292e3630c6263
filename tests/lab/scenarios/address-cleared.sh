#!/usr/bin/env bash
# what: somebody emptied a's status, and LB-IPAM's condition still says satisfied
# explain: svc/a -n shop
# expect: VIP7101 missing
# frontend: -
# nodes: -
#
# It is one phase of two writers that undo each other, held still: a running
# operator would write the address back at once.
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce
service a 80/TCP
backends a 80/TCP nd1
wait_until "a is satisfied" has_reason a satisfied
"$lab_tool" operator "$lab" stop
k patch service a -n "$ns" --subresource=status --type=json -p '[{"op": "replace", "path": "/status/loadBalancer", "value": {}}]' >/dev/null
stays has_address a "" || die "a has an address again"
has_reason a satisfied || die "the condition says $(reason_of a)"
confirm
