# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_kubectl_vipctl_global_optspecs
    string join \n n/namespace= kubeconfig= context= cluster= user= s/server= token= as= as-group= as-uid= as-user-extra= request-timeout= tls-server-name= certificate-authority= client-certificate= client-key= insecure-skip-tls-verify v= h/help V/version
end

function __fish_kubectl_vipctl_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_kubectl_vipctl_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_kubectl_vipctl_using_subcommand
    set -l cmd (__fish_kubectl_vipctl_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -s V -l version -d 'Print version'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -f -a "explain" -d 'Explain Services, addresses and ports'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -f -a "capture" -d 'Save what explain reads to one file'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -f -a "migrate" -d 'Move ports between two Services that share a VIP'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -f -a "recover" -d 'Repair a stuck claim by the smallest write that works'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -f -a "wait" -d 'Wait until every node serves a Service'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -f -a "version" -d 'Show the versions of this program and of the cluster'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -f -a "code" -d 'Show the page of a finding\'s code'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -f -a "completion" -d 'Print a completion script for a shell'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -s l -l selector -d 'The LoadBalancer Services with these labels' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -s o -l output -d 'Output format' -r -f -a "text\t'What a person needs to know, in about 80 columns'
wide\t'The same with every node, the ladder, full sources and the commands that look again'
json\t'The JSON contract, `vipctl.dev/v1`'
yaml\t'The same as YAML'
name\t'One `service/NAME` or address a line'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l color -d 'When to use colours' -r -f -a "auto\t'Where the output is a terminal that has colours'
always\t'Also into pipes and files'
never\t'Nowhere'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l save -d 'Save what was read as well, as `capture` does' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l nodes -d 'Ask only the agents of the nodes with these labels' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l node-timeout -d 'How long one agent may take; most need a fifth of a second' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l concurrency -d 'How many agents are asked at the same time' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l capture -d 'Read a capture instead of a cluster; - reads standard input' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l demo -d 'Read a capture that is built in; without a name, list them' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -s A -l all-namespaces -d 'Every LoadBalancer Service of all namespaces'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l details -d 'Show every note, every finding in full, and the ladder'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l no-exec -d 'Read the API only, ask no agent'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l deep -d 'Compare the tables with the BPF maps; reads the whole map on each node'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -s l -l selector -d 'The LoadBalancer Services with these labels' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -s f -l filename -d 'File to write; - or none is standard output' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l nodes -d 'Ask only the agents of the nodes with these labels' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l node-timeout -d 'How long one agent may take; most need a fifth of a second' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l concurrency -d 'How many agents are asked at the same time' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -s A -l all-namespaces -d 'Every LoadBalancer Service of all namespaces'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l force -d 'Overwrite the file where it exists'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l no-exec -d 'Read the API only, ask no agent'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l deep -d 'Compare the tables with the BPF maps; reads the whole map on each node'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand capture" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -f -a "plan" -d 'Show the steps, what speaks against them, and how to undo them'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -f -a "run" -d 'Plan, ask, move, and wait until every node serves it'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -f -a "status" -d 'Show how a migration stands'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -f -a "resume" -d 'Go on with one that stopped'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -f -a "rollback" -d 'Bring everything back to how it was'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -f -a "abandon" -d 'Forget one, and leave all ports as they are'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -f -a "list" -d 'List migrations'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and not __fish_seen_subcommand_from plan run status resume rollback abandon list help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -s o -l output -d 'Output format' -r -f -a "text\t'What a person needs to know, in about 80 columns'
json\t'The plan itself; `run --plan` takes it'
yaml\t'The same as YAML'
commits\t'The two changes to make in Git, for Services that Helm, Argo CD or Flux write'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l out -d 'Save the plan as well, to be run later exactly as it is' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l color -d 'When to use colours' -r -f -a "auto\t'Where the output is a terminal that has colours'
always\t'Also into pipes and files'
never\t'Nowhere'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l port -d 'Port to move, e.g. 80 or 53/UDP; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l vip -d 'The VIP that is meant, where FROM has others that TO has not' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l source-after -d 'What becomes of FROM when its last port goes: clusterip, park=PORT or delete' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l strategy -d 'ordered: release, wait until every node dropped it, claim. handoff: both at once, after quiet' -r -f -a "ordered\t''
handoff\t''"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l drain-timeout -d 'How long established connections may take to end after a handoff' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l timeout -d 'How long all of it may take, and going back as long again; the time of --drain-timeout apart' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l max-dark -d 'How long a port may be dark on a node before going back (ordered)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l allow-unknown -d 'How many nodes may stay unknown' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l on-failure -d 'What to do when a limit is passed' -r -f -a "stop\t''
rollback\t''"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l node-timeout -d 'How long one agent may take to answer' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l target-port -d 'targetPort on TO: a number or a name' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l port-name -d 'Name of the port on TO' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l app-protocol -d 'appProtocol on TO' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l all-ports -d 'Move every port of FROM'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l no-drain -d 'Keep no established connections over a handoff'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l override-owner -d 'Go on although Helm, Argo CD or Flux will set the Services back'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l port -d 'Port to move, e.g. 80 or 53/UDP; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l vip -d 'The VIP that is meant, where FROM has others that TO has not' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l source-after -d 'What becomes of FROM when its last port goes: clusterip, park=PORT or delete' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l strategy -d 'ordered: release, wait until every node dropped it, claim. handoff: both at once, after quiet' -r -f -a "ordered\t''
handoff\t''"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l drain-timeout -d 'How long established connections may take to end after a handoff' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l timeout -d 'How long all of it may take, and going back as long again; the time of --drain-timeout apart' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l max-dark -d 'How long a port may be dark on a node before going back (ordered)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l allow-unknown -d 'How many nodes may stay unknown' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l on-failure -d 'What to do when a limit is passed' -r -f -a "stop\t''
rollback\t''"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l node-timeout -d 'How long one agent may take to answer' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l target-port -d 'targetPort on TO: a number or a name' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l port-name -d 'Name of the port on TO' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l app-protocol -d 'appProtocol on TO' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l plan -d 'Run this saved plan, if it still holds; - and without a question' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l dry-run -d 'Write nothing: show the plan, or have the API server check both writes as well' -r -f -a "client\t'Nothing is sent'
server\t'The API server checks it and stores nothing'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -s o -l output -d 'Output format of the report; what goes on meanwhile is told on standard error' -r -f -a "text\t'What a person needs to know, in about 80 columns'
json\t'The report alone, on standard output'
yaml\t'The same as YAML'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l color -d 'When to use colours' -r -f -a "auto\t'Where the output is a terminal that has colours'
always\t'Also into pipes and files'
never\t'Nowhere'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l probe -d 'Connect to this address every 20 ms meanwhile, from here, and report what failed' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l all-ports -d 'Move every port of FROM'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l no-drain -d 'Keep no established connections over a handoff'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l override-owner -d 'Go on although Helm, Argo CD or Flux will set the Services back'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -s y -l yes -d 'Ask nothing'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l any-moment -d 'Write without regard to the agents\' ticks; for measurements'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -s o -l output -d 'Output format' -r -f -a "text\t'What a person needs to know, in about 80 columns'
json\t'The report alone, on standard output'
yaml\t'The same as YAML'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l color -d 'When to use colours' -r -f -a "auto\t'Where the output is a terminal that has colours'
always\t'Also into pipes and files'
never\t'Nowhere'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -s A -l all-namespaces -d 'Look for it in all namespaces'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -s o -l output -d 'Output format of the report; what goes on meanwhile is told on standard error' -r -f -a "text\t'What a person needs to know, in about 80 columns'
json\t'The report alone, on standard output'
yaml\t'The same as YAML'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l color -d 'When to use colours' -r -f -a "auto\t'Where the output is a terminal that has colours'
always\t'Also into pipes and files'
never\t'Nowhere'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l probe -d 'Connect to this address every 20 ms meanwhile, from here, and report what failed' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -s A -l all-namespaces -d 'Look for it in all namespaces'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l take-over -d 'Do not wait whether another run still works on it'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l any-moment -d 'Write without regard to the agents\' ticks; for measurements'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from resume" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -s o -l output -d 'Output format of the report; what goes on meanwhile is told on standard error' -r -f -a "text\t'What a person needs to know, in about 80 columns'
json\t'The report alone, on standard output'
yaml\t'The same as YAML'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l color -d 'When to use colours' -r -f -a "auto\t'Where the output is a terminal that has colours'
always\t'Also into pipes and files'
never\t'Nowhere'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l probe -d 'Connect to this address every 20 ms meanwhile, from here, and report what failed' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -s A -l all-namespaces -d 'Look for it in all namespaces'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l take-over -d 'Do not wait whether another run still works on it'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l any-moment -d 'Write without regard to the agents\' ticks; for measurements'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -s y -l yes -d 'Ask nothing'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from rollback" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -s o -l output -d 'Output format' -r -f -a "text\t'What a person needs to know, in about 80 columns'
json\t'The report alone, on standard output'
yaml\t'The same as YAML'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -s A -l all-namespaces -d 'Look for it in all namespaces'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -s y -l yes -d 'Ask nothing'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l take-over -d 'Do not wait whether another run still works on it'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from abandon" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -s o -l output -d 'Output format' -r -f -a "text\t'What a person needs to know, in about 80 columns'
json\t'The report alone, on standard output'
yaml\t'The same as YAML'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l color -d 'When to use colours' -r -f -a "auto\t'Where the output is a terminal that has colours'
always\t'Also into pipes and files'
never\t'Nowhere'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -s A -l all-namespaces -d 'In all namespaces'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from help" -f -a "plan" -d 'Show the steps, what speaks against them, and how to undo them'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from help" -f -a "run" -d 'Plan, ask, move, and wait until every node serves it'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from help" -f -a "status" -d 'Show how a migration stands'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from help" -f -a "resume" -d 'Go on with one that stopped'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from help" -f -a "rollback" -d 'Bring everything back to how it was'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from help" -f -a "abandon" -d 'Forget one, and leave all ports as they are'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from help" -f -a "list" -d 'List migrations'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand migrate; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l timeout -d 'How long the nodes may take to serve it' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l dry-run -d 'Write nothing: say what would be written, or have the API server check it as well' -r -f -a "client\t'Nothing is sent'
server\t'The API server checks it and stores nothing'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -s o -l output -d 'Output format' -r -f -a "text\t''
json\t''
yaml\t''"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l node-timeout -d 'How long one agent may take' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l deep -d 'Compare the tables with the BPF maps; reads the whole map on each node'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand recover" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l for -d 'programmed: every node has each port in its datapath, from this Service; healthy: explain finds no fault either' -r -f -a "programmed\t''
healthy\t''"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l timeout -d 'How long to wait' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -s o -l output -d 'Output format' -r -f -a "text\t''
json\t''
yaml\t''"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l node-timeout -d 'How long one agent may take' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l deep -d 'Compare the tables with the BPF maps; reads the whole map on each node'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand wait" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -s o -l output -d 'Output format' -r -f -a "text\t''
json\t''
yaml\t''"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l cilium-namespace -d 'Namespace of Cilium; found by the agents\' label where it is not given' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l client -d 'This program\'s version only; connects to nothing'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -s o -l output -d 'Output format' -r -f -a "text\t'What a person needs to know, in about 80 columns'
wide\t'The same with every node, the ladder, full sources and the commands that look again'
json\t'The JSON contract, `vipctl.dev/v1`'
yaml\t'The same as YAML'
name\t'One `service/NAME` or address a line'"
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l list -d 'List every code'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand code" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -s n -l namespace -d 'Namespace of the Services that are named without one' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l kubeconfig -d 'Kubeconfig file to use' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l token -d 'Bearer token' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l as -d 'User to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l as-uid -d 'UID to act as' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l as-user-extra -d 'Extra information on the user to act as; may be repeated' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l request-timeout -d 'How long one read of the API may take (10, 10s, 1m; 0: without end)' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l tls-server-name -d 'Name that the server\'s certificate must have' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l certificate-authority -d 'File with the server\'s certificate authority' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l client-certificate -d 'File with the client\'s certificate' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l client-key -d 'File with the client\'s key' -r -F
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -s v -d 'Tell on standard error what is read and how long it takes' -r
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate: insecure'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand completion" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture migrate recover wait code version completion help" -f -a "explain" -d 'Explain Services, addresses and ports'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture migrate recover wait code version completion help" -f -a "capture" -d 'Save what explain reads to one file'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture migrate recover wait code version completion help" -f -a "migrate" -d 'Move ports between two Services that share a VIP'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture migrate recover wait code version completion help" -f -a "recover" -d 'Repair a stuck claim by the smallest write that works'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture migrate recover wait code version completion help" -f -a "wait" -d 'Wait until every node serves a Service'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture migrate recover wait code version completion help" -f -a "code" -d 'Show the page of a finding\'s code'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture migrate recover wait code version completion help" -f -a "version" -d 'Show the versions of this program and of the cluster'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture migrate recover wait code version completion help" -f -a "completion" -d 'Print a completion script for a shell'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture migrate recover wait code version completion help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and __fish_seen_subcommand_from migrate" -f -a "plan" -d 'Show the steps, what speaks against them, and how to undo them'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and __fish_seen_subcommand_from migrate" -f -a "run" -d 'Plan, ask, move, and wait until every node serves it'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and __fish_seen_subcommand_from migrate" -f -a "status" -d 'Show how a migration stands'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and __fish_seen_subcommand_from migrate" -f -a "resume" -d 'Go on with one that stopped'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and __fish_seen_subcommand_from migrate" -f -a "rollback" -d 'Bring everything back to how it was'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and __fish_seen_subcommand_from migrate" -f -a "abandon" -d 'Forget one, and leave all ports as they are'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and __fish_seen_subcommand_from migrate" -f -a "list" -d 'List migrations'
