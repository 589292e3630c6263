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
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture code version completion help" -f -a "explain" -d 'Explain Services, addresses and ports'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture code version completion help" -f -a "capture" -d 'Save what explain reads to one file'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture code version completion help" -f -a "code" -d 'Show the page of a finding\'s code'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture code version completion help" -f -a "version" -d 'Show the versions of this program and of the cluster'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture code version completion help" -f -a "completion" -d 'Print a completion script for a shell'
complete -c kubectl-vipctl -n "__fish_kubectl_vipctl_using_subcommand help; and not __fish_seen_subcommand_from explain capture code version completion help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
