#!/usr/bin/env bash
# what: a keeps traffic on the node it comes in on, and the only node that may announce it has no backend
# explain: svc/a -n shop
# expect: VIP3102 unreachable
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=3 otherOwner=0 absent=0 unknown=0
#
# Cilium 1.20 lets only nodes with a living backend of their own stand for the
# lease of such a Service. So no node without one ever announces it; instead
# nobody does, there is not even a lease. Every frontend is Done nevertheless.
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce nd1
service a 80/TCP --address 192.0.2.10 --local
backends a 80/TCP nd2
wait_until "a has 80" owned_everywhere 192.0.2.10:80/TCP shop/a
# A lease that was let go stays, without a holder.
unannounced() { [ -z "$(holder_of a)" ] && ! answers 192.0.2.10:80/TCP; }
wait_until "nobody announces a" unannounced
stays unannounced || die "a is announced by $(holder_of a)"
confirm
