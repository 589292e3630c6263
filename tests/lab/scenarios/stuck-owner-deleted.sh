#!/usr/bin/env bash
# what: the owner of a port is deleted, and the Service that also claims it stays out
# explain: svc/b -n shop
# expect: VIP2102 missing
# frontend: 192.0.2.20:80/TCP
# nodes: programmed=0 otherOwner=0 absent=3 unknown=0
#
# Two Services claim one external IP by spec.externalIPs: no IPAM looks at that.
. "$(dirname "$0")/lib.sh"
begin "$@"

announce
service a 80/TCP --type ClusterIP --external 192.0.2.20
backends a 80/TCP nd1
wait_until "a has 80" owned_everywhere 192.0.2.20:80/TCP shop/a
service b 80/TCP --type ClusterIP --external 192.0.2.20
backends b 80/TCP nd2
wait_until "every agent rejected b" rejected 192.0.2.20:80/TCP
k delete service a -n "$ns" >/dev/null
confirm
