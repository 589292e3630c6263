#!/usr/bin/env bash
# what: every node serves a, but no policy announces its address
# explain: svc/a -n shop
# expect: VIP4101 unreachable
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=3 otherOwner=0 absent=0 unknown=0
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
service a 80/TCP --address 192.0.2.10
backends a 80/TCP nd1
wait_until "a has 80" owned_everywhere 192.0.2.10:80/TCP shop/a
# A lease that was let go stays, without a holder.
unannounced() { [ -z "$(holder_of a)" ] && ! answers 192.0.2.10:80/TCP; }
wait_until "nobody announces a" unannounced
stays unannounced || die "a is announced by $(holder_of a)"
confirm
