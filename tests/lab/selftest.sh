#!/usr/bin/env bash
# Proves on a real lab what every measurement in it relies on. Takes a minute.
set -euo pipefail

here=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
lab=$here/lab
name=self$$
trap '"$lab" down "$name" >/dev/null' EXIT

ok() { printf 'ok    %s\n' "$1"; }
fail() {
  printf 'FAIL  %s\n' "$1" >&2
  exit 1
}
admin() { "$lab" run "$name" -- "$@"; }
pod_of() { admin kubectl -n kube-system get pods -l k8s-app=cilium --field-selector "spec.nodeName=$1" -o name; }

"$lab" up "$name" >/dev/null
"$here/scenarios/healthy.sh" "$name"

# A client that is inside an agent's cgroup never sends a packet to a VIP.
cgroup=$(admin grep '^0::' /proc/self/cgroup)
[[ $cgroup != */vipctl-lab/* ]] || fail "clients live in the lab's cgroup $cgroup"
for node in nd1 nd2 nd3; do
  ! "$lab" run "$name" --node $node -- cilium-dbg bpf metrics list 2>/dev/null | grep -q 'sock cgroup' ||
    fail "the socket programs of $node saw a connection"
done
ok 'agents do not touch the connections of clients'

# Packets take the real way: ARP to a node with a lease (each of the Services
# that share the VIP has one), eBPF, a backend elsewhere.
holders=$(admin kubectl -n kube-system get leases -o name | sed -n 's,.*/\(cilium-l2announce-.*\),\1,p' |
  xargs "$lab" run "$name" -- kubectl -n kube-system get lease -o 'jsonpath={range .items[*]}{.spec.holderIdentity}{"\n"}{end}')
answers=$("$lab" probe "$name" 192.0.2.10:53/UDP --for 1s -o json)
grep -q '"failed": *0' <<<"$answers" || fail "the VIP does not answer: $answers"
asked=$(admin ip -j neigh show 192.0.2.10 | grep -o '..:..:..:..:..:..')
announcer=
for node in $holders; do
  "$lab" run "$name" --node "$node" -- ip -o link show eth0 | grep -q "$asked" && announcer=$node
done
[[ -n $announcer ]] || fail "$asked answers ARP, which is no node with a lease:" $holders
ok "the VIP is announced by $announcer and answers"

# A dead agent's node goes on forwarding, and so it does when a new one starts.
probed=$(mktemp)
"$lab" probe "$name" 192.0.2.10:53/UDP --for 8s -o json >"$probed" &
probe=$!
"$lab" node "$name" "$announcer" restart
wait $probe
grep -q '"failed": *0' "$probed" || fail "packets were lost while the agent of $announcer restarted"
rm "$probed"
ok 'pinned maps outlive an agent'

# exec goes through the API server, and rights decide about it.
table=$("$lab" run "$name" --as oncall -- kubectl -n kube-system exec "$(pod_of nd2)" -- cilium-dbg shell -- db/show frontends)
grep -q '192.0.2.10:80/TCP' <<<"$table" || fail "exec shows no frontends: $table"
! "$lab" run "$name" --as reader -- kubectl -n kube-system exec "$(pod_of nd2)" -- true 2>/dev/null || fail 'the user reader may exec'
ok 'exec works for oncall and is refused for reader'

# Each client enters by its own node: one without an entry is dark, the others are not.
"$lab" node "$name" nd2 drop-entry 192.0.2.10:80/TCP
seen=$("$lab" clients "$name" 192.0.2.10:80 --every 50ms --for 500ms --held 0)
[[ $(grep -A 1 ' by nd[13]$' <<<"$seen" | grep -c ' 0 failed') == 2 ]] && ! grep -A 1 ' by nd2$' <<<"$seen" | grep -q ' 0 failed' ||
  fail "nd2 alone has no entry, and clients saw: $seen"
ok 'clients enter by the node they are meant to'

# A write that is cut is done or not done, as asked.
for how in before:137: after:137:after lost:1:lost; do
  IFS=: read -r way code value <<<"$how"
  admin kubectl -n shop annotate service a cut- >/dev/null
  got=0
  "$lab" run "$name" --cut "1:$way" -- kubectl -n shop annotate service a "cut=$way" >/dev/null 2>&1 || got=$?
  now=$(admin kubectl -n shop get service a -o 'jsonpath={.metadata.annotations.cut}')
  [[ $got/$now == "$code/$value" ]] || fail "cut $way: exit $got, the annotation is '$now'"
done
ok 'a write is cut before, after, and behind'

"$lab" reset "$name"
table=$("$lab" run "$name" --node nd3 -- cilium-dbg shell -- db/show frontends)
! grep -q 192.0.2.10 <<<"$table" || fail "after reset: $table"
ok 'reset leaves nothing of a scenario'

# Half of the processes die a sudden death; `down` still finds everything.
root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)/vipctl-lab/$name
cat "$root"/*/cgroup.procs | awk 'NR % 2' | xargs kill -9
"$lab" down "$name" >/dev/null
[[ ! -e $root ]] || fail "cgroup $root is left"
[[ ! -e ${VIPCTL_LAB_STATE:-/run/vipctl-lab}/$name ]] || fail 'a state directory is left'
! ip netns list | grep "^vl-$name-" || fail 'network namespaces are left'
! pgrep -f "vipctl-lab/$name/" || fail 'processes are left'
ok 'down leaves nothing'
