#!/usr/bin/env bash
# what: b asks for a port of its own and for one that a has, and gets neither
# explain: svc/b -n shop
# expect: VIP2101 missing
# frontend: 192.0.2.20:8080/TCP
# nodes: programmed=0 otherOwner=0 absent=3 unknown=0
#
# An agent refuses a Service's update as a whole and names one address only:
# 8080 is nobody's, and yet no node serves it.
. "$(dirname "$0")/lib.sh"
begin "$@"

announce
service a 80/TCP --type ClusterIP --external 192.0.2.20
backends a 80/TCP nd1
wait_until "a has 80" owned_everywhere 192.0.2.20:80/TCP shop/a
service b 80/TCP 8080/TCP --type ClusterIP --external 192.0.2.20
backends b "80/TCP 8080/TCP" nd2
wait_until "every agent rejected b" rejected 192.0.2.20:80/TCP
confirm
