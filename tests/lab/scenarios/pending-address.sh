#!/usr/bin/env bash
# what: a was made while no operator runs, so nobody has looked at it yet
# explain: svc/a -n shop
# expect: VIP1107 pending
# frontend: -
# nodes: -
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce
"$lab_tool" operator "$lab" stop
service a 80/TCP
backends a 80/TCP nd1
stays has_reason a "" || die "somebody handled a: $(reason_of a)"
confirm
