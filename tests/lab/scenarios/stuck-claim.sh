#!/usr/bin/env bash
# what: a port moved from a to b in one go, and now no node serves it although both Services are satisfied
# explain: svc/b -n shop
# expect: VIP2102 missing
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=0 otherOwner=0 absent=3 unknown=0
#
# One `kubectl apply` writes b with the port first and then a without it, as
# happens with a folder of manifests. The agents look at b before a, refuse b,
# and a's release wakes nobody. LB-IPAM takes b's address away and gives it
# back, all within milliseconds; an agent whose period ends in between sees
# b again later and heals, and then the move is done over.
. "$(dirname "$0")/lib.sh"
begin "$@"

two_sharers

move() {
    { manifest b 53/UDP 80/TCP --share edge --address 192.0.2.10
      manifest a 443/TCP --share edge --address 192.0.2.10; } | apply
}

move_back() {
    service b 53/UDP --share edge --address 192.0.2.10
    wait_until "nobody has 80" nobody_has_80
    service a 80/TCP 443/TCP --share edge --address 192.0.2.10
    wait_until "a has 80 again" owned_everywhere 192.0.2.10:80/TCP shop/a
    wait_until "b has 53 again" owned_everywhere 192.0.2.10:53/UDP shop/b
}

a_is_out() { [[ $(count 192.0.2.10:80/TCP shop/a) = programmed=0* ]]; }
nobody_has_80() { counts 192.0.2.10:80/TCP shop/b "$(header nodes)"; }

for try in 1 2 3 4 5 6 7 8; do
    [ "$try" = 1 ] || move_back
    move
    wait_until "a gave up 80" a_is_out
    if stays nobody_has_80; then break; fi
done
wait_until "every agent rejected b" rejected 192.0.2.10:80/TCP
has_address a 192.0.2.10 && has_address b 192.0.2.10 || die "a Service lost the address"
has_reason a satisfied && has_reason b satisfied || die "a Service is not satisfied"
confirm
