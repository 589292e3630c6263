#!/usr/bin/env bash
# what: b's claim on a port is rejected by every agent, because a owns the port
# explain: svc/b -n shop
# expect: VIP2101 wrongOwner
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=0 otherOwner=3 absent=0 unknown=0
#
# LB-IPAM never gives one address to two Services with the same port. The claim
# comes past it: b belongs to another controller, by its class, and that one
# wrote an address that LB-IPAM gave to a.
. "$(dirname "$0")/lib.sh"
begin "$@"

pool edge 192.0.2.10 192.0.2.19
announce
service a 80/TCP 443/TCP --share edge --address 192.0.2.10
backends a "80/TCP 443/TCP" nd1 nd2
wait_until "a has 80" owned_everywhere 192.0.2.10:80/TCP shop/a
service b 80/TCP --class example.com/edge
backends b 80/TCP nd2 nd3
give_address b 192.0.2.10
wait_until "every agent rejected b" rejected 192.0.2.10:80/TCP
confirm
