#!/usr/bin/env bash
# what: a keeps traffic on the node it comes in on, and the node that announces it has no backend
# explain: svc/a -n shop
# expect: VIP3102 unreachable
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=3 otherOwner=0 absent=0 unknown=0
#
# The lease is awarded first and the backend placed elsewhere afterwards, so
# that it does not depend on who wins. Cilium leaves the lease where it is.
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce
service a 80/TCP --address 192.0.2.10 --local
wait_until "a's address is announced" announced a
holder=$(holder_of a)
for node in $nodes; do
    if [ "$node" != "$holder" ]; then
        backends a 80/TCP "$node"
        break
    fi
done
confirm
[ "$(holder_of a)" = "$holder" ] || die "the lease moved from $holder to $(holder_of a)"
