#!/usr/bin/env bash
# what: a's class belongs to nobody in this cluster
# explain: svc/a -n shop
# expect: VIP1106 missing
# frontend: -
# nodes: -
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce
service a 80/TCP --class example.com/nobody
backends a 80/TCP nd1
stays has_reason a "" || die "somebody handled a: $(reason_of a)"
confirm
