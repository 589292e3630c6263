# shellcheck shell=bash
# What the scenarios have in common. Each scenario is a script that takes the
# name of a clean lab, brings the cluster into one state and checks that the
# state is there on every node:
#
#     tests/lab/lab up demo
#     tests/lab/scenarios/stuck-claim.sh demo
#     tests/lab/lab run demo -- kubectl vipctl explain svc/b -n shop
#     tests/lab/lab reset demo
#
# Its first comments are read by the tests:
#     # what:      the state in one sentence
#     # explain:   arguments of `kubectl vipctl explain`
#     # expect:    the code to be found (- for none) and the verdict
#     # frontend:  the frontend that the verdict is about (- if it has no address)
#     # nodes:     how many nodes have it from whom (- if it has no address)
#     # as:        user that explains, if not the admin
#     # needs:     flags of `lab up`, if any
# Further comments say why the state comes about, and what surprised.

set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lab_tool=$here/../lab
script=$0
ns=shop
deadline=40 # seconds for anything that is waited for

die() { echo "${script##*/}: $*" >&2; exit 1; }

# begin takes the lab's name and refuses one that another scenario was in.
begin() {
    [ $# -eq 1 ] || die "usage: ${script##*/} LAB"
    lab=$1
    nodes=$(k get nodes -o 'jsonpath={.items[*].metadata.name}')
    ! k get namespace "$ns" >/dev/null 2>&1 ||
        die "lab $lab is not clean: run \`lab reset $lab\` first"
    k create namespace "$ns" >/dev/null
}

k() { "$lab_tool" run "$lab" -- kubectl "$@"; }
apply() { k apply --server-side --force-conflicts -f - >/dev/null; }
header() { sed -n "s/^# $1: *//p" "$script"; }

# pool NAME FIRST [LAST [LABEL=VALUE]]: addresses, for Services with that label
pool() {
    local selector=""
    [ -z "${4-}" ] || selector="{matchLabels: {${4%%=*}: ${4#*=}}}"
    apply <<YAML
apiVersion: cilium.io/v2
kind: CiliumLoadBalancerIPPool
metadata: {name: $1}
spec:
  blocks: [{start: $2, stop: ${3-$2}}]
  ${selector:+serviceSelector: $selector}
YAML
}

# announce [NODE]: every node, or that one alone, may answer ARP for the
# addresses of every Service
announce() {
    apply <<YAML
apiVersion: cilium.io/v2alpha1
kind: CiliumL2AnnouncementPolicy
metadata: {name: all}
spec:
  loadBalancerIPs: true
  externalIPs: true
  interfaces: [eth0]
  ${1:+nodeSelector: {matchLabels: {kubernetes.io/hostname: $1\}\}}
YAML
}

# A Service's backends listen on ports of its own, so that several Services can
# have port 80 on the same node: a's on 11080, b's on 12080 and so on.
target() { echo $(($(printf %d "'$1") % 32 * 1000 + 10000 + $2)); }

port_name() {
    case $1 in
    80/TCP) echo http ;;
    443/TCP) echo https ;;
    53/UDP) echo dns ;;
    *) tr / - <<<"p${1,,}" ;;
    esac
}

# manifest NAME PORT/PROTO… [--type T] [--share KEY] [--address IP] [--class C]
#     [--external IP] [--local] [--label K=V]
# prints the Service as it would stand in Git.
manifest() {
    local name=$1 ports="" notes="" spec="" type=LoadBalancer label="tier: edge" port
    shift
    while [ $# -gt 0 ]; do
        case $1 in
        --type) type=$2; shift ;;
        --share) notes+="lbipam.cilium.io/sharing-key: $2, "; shift ;;
        --address) notes+="lbipam.cilium.io/ips: $2, "; shift ;;
        --class) spec+="loadBalancerClass: $2, "; shift ;;
        --external) spec+="externalIPs: [$2], "; shift ;;
        --local) spec+="externalTrafficPolicy: Local, " ;;
        --label) label="${2%%=*}: ${2#*=}"; shift ;;
        *) port=${1%/*}
            ports+="{name: $(port_name "$1"), port: $port, protocol: ${1#*/}, targetPort: $(target "$name" "$port")}, " ;;
        esac
        shift
    done
    cat <<YAML
---
apiVersion: v1
kind: Service
metadata:
  name: $name
  namespace: $ns
  labels: {app.kubernetes.io/name: $name, app.kubernetes.io/part-of: shop, $label}
  annotations: {$notes}
spec: {type: $type, selector: {app.kubernetes.io/name: $name}, ports: [$ports], $spec}
YAML
}

service() { manifest "$@" | apply; }

# backends NAME "PORT/PROTO…" NODE…: servers that answer with the Service's
# name, and the EndpointSlice that leads to them
backends() {
    local name=$1 ports=$2 slice_ports="" endpoints="" port node udp
    shift 2
    for port in $ports; do
        slice_ports+="{name: $(port_name "$port"), port: $(target "$name" "${port%/*}"), protocol: ${port#*/}}, "
        for node in "$@"; do
            udp=""
            [ "${port#*/}" = TCP ] || udp=--udp
            "$lab_tool" backend "$lab" "$node" "$(target "$name" "${port%/*}")" "$name" $udp >/dev/null
        done
    done
    for node in "$@"; do
        endpoints+="{addresses: [$(node_ip "$node")], nodeName: $node, conditions: {ready: true}}, "
    done
    apply <<YAML
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: $name-1, namespace: $ns, labels: {kubernetes.io/service-name: $name}}
addressType: IPv4
ports: [$slice_ports]
endpoints: [$endpoints]
YAML
}

node_ip() { k get node "$1" -o 'jsonpath={.status.addresses[0].address}'; }

# give_address NAME IP: writes the status as a foreign controller does
give_address() {
    k patch service "$1" -n "$ns" --subresource=status --type=merge \
        -p "{\"status\":{\"loadBalancer\":{\"ingress\":[{\"ip\":\"$2\"}]}}}" >/dev/null
}

address_of() { k get service "$1" -n "$ns" -o 'jsonpath={.status.loadBalancer.ingress[*].ip}'; }
has_address() { [ "$(address_of "$1")" = "$2" ]; }

# reason_of NAME: what LB-IPAM says about its request, empty if nothing
reason_of() {
    k get service "$1" -n "$ns" \
        -o 'jsonpath={.status.conditions[?(@.type=="cilium.io/IPAMRequestSatisfied")].reason}'
}
has_reason() { [ "$(reason_of "$1")" = "$2" ]; }

# wait_until WHAT COMMAND…: asks again until the command says yes
wait_until() {
    local what=$1 end=$((SECONDS + deadline))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || die "waited ${deadline}s in vain until $what"
        sleep 0.1
    done
}

# stays COMMAND…: the command says yes for two of the agents' periods and more
stays() {
    local end=$((SECONDS + 3))
    while [ $SECONDS -lt $end ]; do
        "$@" || return 1
        sleep 0.1
    done
}

# count FRONTEND OWNER: nodes=… as in the headers, from the agents' own tables
count() {
    local address=${1%:*}
    "$lab_tool" frontends "$lab" "$address" | awk -v frontend="$1" -v owner="$2" -v all="$(wc -w <<<"$nodes")" '
        $3 == "unreadable" { unknown++ }
        $4 == frontend && $5 == owner && $6 == "Done" { mine++ }
        $4 == frontend && $5 != owner { theirs++ }
        END { printf "programmed=%d otherOwner=%d absent=%d unknown=%d\n",
              mine, theirs, all - mine - theirs - unknown, unknown }'
}
counts() { [ "$(count "$1" "$2")" = "$3" ]; }

owned_everywhere() { counts "$1" "$2" "programmed=$(wc -w <<<"$nodes") otherOwner=0 absent=0 unknown=0"; }

# rejected FRONTEND: every agent's health table says that it refused a claim
rejected() {
    local node
    for node in $nodes; do
        agent "$node" db/show -f json health |
            grep "already owned by another service: $1" >/dev/null || return 1
    done
}

holder_of() {
    k get lease -n kube-system "cilium-l2announce-$ns-$1" -o 'jsonpath={.spec.holderIdentity}' 2>/dev/null
}

# announced NAME: the node that holds the lease answers ARP for the address;
# it begins some time after it took the lease
announced() {
    local holder
    holder=$(holder_of "$1") && [ -n "$holder" ] || return 1
    agent "$holder" db/show l2-announce | grep -w "$(address_of "$1")" >/dev/null
}

# agent NODE COMMAND…: asks the StateDB shell of a node's agent
agent() { "$lab_tool" run "$lab" --node "$1" -- cilium-dbg shell -- "${@:2}"; }

# answers TARGET: a connection from outside is answered
answers() { "$lab_tool" probe "$lab" "$1" --for 10ms --every 10ms | grep " 1 answered" >/dev/null; }

# two_sharers: a (80, 443) and b (53/UDP) on 192.0.2.10 by a sharing key, served everywhere
two_sharers() {
    pool edge 192.0.2.10 192.0.2.19
    announce
    service a 80/TCP 443/TCP --share edge --address 192.0.2.10
    service b 53/UDP --share edge --address 192.0.2.10
    backends a "80/TCP 443/TCP" nd1 nd2
    backends b "53/UDP 80/TCP" nd2 nd3
    wait_until "a has 80" owned_everywhere 192.0.2.10:80/TCP shop/a
    wait_until "b has 53" owned_everywhere 192.0.2.10:53/UDP shop/b
}

# subject: the Service that the header wants explained
subject() { header explain | sed -E 's|^svc/([^ ]+).*|\1|'; }

# confirm: the header's numbers are true, and stay true
confirm() {
    local frontend want owner
    frontend=$(header frontend) want=$(header nodes) owner=$ns/$(subject)
    if [ "$frontend" != - ]; then
        wait_until "$frontend of $owner was $want" counts "$frontend" "$owner" "$want"
        stays counts "$frontend" "$owner" "$want" ||
            die "$frontend did not stay $want, it is $(count "$frontend" "$owner")"
    fi
    header what
}
