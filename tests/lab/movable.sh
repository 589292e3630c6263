#!/usr/bin/env bash
# Brings a clean lab to where ports are moved: a (80, 443), b (53/UDP) and c
# (8080) share 192.0.2.10. b has backends for port 80, too. Prints nothing.
#
#     tests/lab/movable.sh LAB
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scenarios/lib.sh
source "$here/scenarios/lib.sh"

begin "$@"
two_sharers
service c 8080/TCP --share edge --address 192.0.2.10
backends c 8080/TCP nd1 nd3
wait_until "c has 8080" owned_everywhere 192.0.2.10:8080/TCP shop/c

# Done says nothing about backends, which may come a period later.
served() {
    ! "$lab_tool" clients "$lab" 192.0.2.10:80 192.0.2.10:443 192.0.2.10:8080 192.0.2.10:53/UDP \
        --held 0 --every 50ms --for 100ms 2>/dev/null | grep -q '[1-9][0-9]* failed'
}
wait_until "every node served every port" served
