#!/usr/bin/env bash
# what: a port is missing everywhere, and whoever asks may not exec into the agents
# explain: svc/b -n shop
# expect: VIP9101 unknown
# frontend: 192.0.2.10:80/TCP
# nodes: programmed=0 otherOwner=0 absent=0 unknown=3
# as: reader
#
# The cluster is that of stuck-claim. The numbers are what the user can know.
. "$(dirname "$0")/lib.sh"
"$here/stuck-claim.sh" "$@" >/dev/null
lab=$1
! "$lab_tool" run "$lab" --as reader -- kubectl auth can-i -q create pods/exec -n kube-system ||
    die "the user reader may exec"
header what
