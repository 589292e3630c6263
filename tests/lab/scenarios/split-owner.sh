#!/usr/bin/env bash
# what: a and b claim one port, and nodes differ about who owns it
# explain: svc/b -n shop
# expect: VIP2103 split
# frontend: 192.0.2.20:80/TCP
# nodes: programmed=2 otherOwner=1 absent=0 unknown=0
#
# b was first and owns the port everywhere; a claims it too and is rejected.
# Then one agent restarts: it takes all Services in whatever order its first
# list has, about every second time with a before b (seen on 1.20.2; the list
# is streamed and kept in a map). Nothing ever brings the nodes together again.
. "$(dirname "$0")/lib.sh"
begin "$@"

announce
service b 80/TCP --type ClusterIP --external 192.0.2.20
backends b 80/TCP nd2
wait_until "b has 80" owned_everywhere 192.0.2.20:80/TCP shop/b
service a 80/TCP --type ClusterIP --external 192.0.2.20
backends a 80/TCP nd1
wait_until "every agent rejected a" rejected 192.0.2.20:80/TCP
split() { counts 192.0.2.20:80/TCP shop/b "$(header nodes)"; }
settled() { [[ $(count 192.0.2.20:80/TCP shop/b) = *"absent=0 unknown=0" ]]; }

for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    "$lab_tool" node "$lab" nd3 restart
    wait_until "the port has an owner on every node" settled
    if split; then break; fi
done
confirm
