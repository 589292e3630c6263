
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'kubectl-vipctl' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'kubectl-vipctl'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'kubectl-vipctl' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain Services, addresses and ports')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Save what explain reads to one file')
            [CompletionResult]::new('migrate', 'migrate', [CompletionResultType]::ParameterValue, 'Move ports between two Services that share a VIP')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Repair a stuck claim by the smallest write that works')
            [CompletionResult]::new('wait', 'wait', [CompletionResultType]::ParameterValue, 'Wait until every node serves a Service')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Show the versions of this program and of the cluster')
            [CompletionResult]::new('code', 'code', [CompletionResultType]::ParameterValue, 'Show the page of a finding''s code')
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-vipctl;explain' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'The LoadBalancer Services with these labels')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'The LoadBalancer Services with these labels')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--save', '--save', [CompletionResultType]::ParameterName, 'Save what was read as well, as `capture` does')
            [CompletionResult]::new('--nodes', '--nodes', [CompletionResultType]::ParameterName, 'Ask only the agents of the nodes with these labels')
            [CompletionResult]::new('--node-timeout', '--node-timeout', [CompletionResultType]::ParameterName, 'How long one agent may take; most need a fifth of a second')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'How many agents are asked at the same time')
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('--capture', '--capture', [CompletionResultType]::ParameterName, 'Read a capture instead of a cluster; - reads standard input')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Read a capture that is built in; without a name, list them')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Every LoadBalancer Service of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Every LoadBalancer Service of all namespaces')
            [CompletionResult]::new('--details', '--details', [CompletionResultType]::ParameterName, 'Show every note, every finding in full, and the ladder')
            [CompletionResult]::new('--no-exec', '--no-exec', [CompletionResultType]::ParameterName, 'Read the API only, ask no agent')
            [CompletionResult]::new('--deep', '--deep', [CompletionResultType]::ParameterName, 'Compare the tables with the BPF maps; reads the whole map on each node')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;capture' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'The LoadBalancer Services with these labels')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'The LoadBalancer Services with these labels')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'File to write; - or none is standard output')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'File to write; - or none is standard output')
            [CompletionResult]::new('--nodes', '--nodes', [CompletionResultType]::ParameterName, 'Ask only the agents of the nodes with these labels')
            [CompletionResult]::new('--node-timeout', '--node-timeout', [CompletionResultType]::ParameterName, 'How long one agent may take; most need a fifth of a second')
            [CompletionResult]::new('--concurrency', '--concurrency', [CompletionResultType]::ParameterName, 'How many agents are asked at the same time')
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Every LoadBalancer Service of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Every LoadBalancer Service of all namespaces')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Overwrite the file where it exists')
            [CompletionResult]::new('--no-exec', '--no-exec', [CompletionResultType]::ParameterName, 'Read the API only, ask no agent')
            [CompletionResult]::new('--deep', '--deep', [CompletionResultType]::ParameterName, 'Compare the tables with the BPF maps; reads the whole map on each node')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;migrate' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('plan', 'plan', [CompletionResultType]::ParameterValue, 'Show the steps, what speaks against them, and how to undo them')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Plan, ask, move, and wait until every node serves it')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show how a migration stands')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Go on with one that stopped')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Bring everything back to how it was')
            [CompletionResult]::new('abandon', 'abandon', [CompletionResultType]::ParameterValue, 'Forget one, and leave all ports as they are')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List migrations')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-vipctl;migrate;plan' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Save the plan as well, to be run later exactly as it is')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--port', '--port', [CompletionResultType]::ParameterName, 'Port to move, e.g. 80 or 53/UDP; may be repeated')
            [CompletionResult]::new('--vip', '--vip', [CompletionResultType]::ParameterName, 'The VIP that is meant, where FROM has others that TO has not')
            [CompletionResult]::new('--source-after', '--source-after', [CompletionResultType]::ParameterName, 'What becomes of FROM when its last port goes: clusterip, park=PORT or delete')
            [CompletionResult]::new('--strategy', '--strategy', [CompletionResultType]::ParameterName, 'ordered: release, wait until every node dropped it, claim. handoff: both at once, after quiet')
            [CompletionResult]::new('--drain-timeout', '--drain-timeout', [CompletionResultType]::ParameterName, 'How long established connections may take to end after a handoff')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all of it may take, and going back as long again; the time of --drain-timeout apart')
            [CompletionResult]::new('--max-dark', '--max-dark', [CompletionResultType]::ParameterName, 'How long a port may be dark on a node before going back (ordered)')
            [CompletionResult]::new('--allow-unknown', '--allow-unknown', [CompletionResultType]::ParameterName, 'How many nodes may stay unknown')
            [CompletionResult]::new('--on-failure', '--on-failure', [CompletionResultType]::ParameterName, 'What to do when a limit is passed')
            [CompletionResult]::new('--node-timeout', '--node-timeout', [CompletionResultType]::ParameterName, 'How long one agent may take to answer')
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('--target-port', '--target-port', [CompletionResultType]::ParameterName, 'targetPort on TO: a number or a name')
            [CompletionResult]::new('--port-name', '--port-name', [CompletionResultType]::ParameterName, 'Name of the port on TO')
            [CompletionResult]::new('--app-protocol', '--app-protocol', [CompletionResultType]::ParameterName, 'appProtocol on TO')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('--all-ports', '--all-ports', [CompletionResultType]::ParameterName, 'Move every port of FROM')
            [CompletionResult]::new('--no-drain', '--no-drain', [CompletionResultType]::ParameterName, 'Keep no established connections over a handoff')
            [CompletionResult]::new('--override-owner', '--override-owner', [CompletionResultType]::ParameterName, 'Go on although Helm, Argo CD or Flux will set the Services back')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;migrate;run' {
            [CompletionResult]::new('--port', '--port', [CompletionResultType]::ParameterName, 'Port to move, e.g. 80 or 53/UDP; may be repeated')
            [CompletionResult]::new('--vip', '--vip', [CompletionResultType]::ParameterName, 'The VIP that is meant, where FROM has others that TO has not')
            [CompletionResult]::new('--source-after', '--source-after', [CompletionResultType]::ParameterName, 'What becomes of FROM when its last port goes: clusterip, park=PORT or delete')
            [CompletionResult]::new('--strategy', '--strategy', [CompletionResultType]::ParameterName, 'ordered: release, wait until every node dropped it, claim. handoff: both at once, after quiet')
            [CompletionResult]::new('--drain-timeout', '--drain-timeout', [CompletionResultType]::ParameterName, 'How long established connections may take to end after a handoff')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all of it may take, and going back as long again; the time of --drain-timeout apart')
            [CompletionResult]::new('--max-dark', '--max-dark', [CompletionResultType]::ParameterName, 'How long a port may be dark on a node before going back (ordered)')
            [CompletionResult]::new('--allow-unknown', '--allow-unknown', [CompletionResultType]::ParameterName, 'How many nodes may stay unknown')
            [CompletionResult]::new('--on-failure', '--on-failure', [CompletionResultType]::ParameterName, 'What to do when a limit is passed')
            [CompletionResult]::new('--node-timeout', '--node-timeout', [CompletionResultType]::ParameterName, 'How long one agent may take to answer')
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('--target-port', '--target-port', [CompletionResultType]::ParameterName, 'targetPort on TO: a number or a name')
            [CompletionResult]::new('--port-name', '--port-name', [CompletionResultType]::ParameterName, 'Name of the port on TO')
            [CompletionResult]::new('--app-protocol', '--app-protocol', [CompletionResultType]::ParameterName, 'appProtocol on TO')
            [CompletionResult]::new('--plan', '--plan', [CompletionResultType]::ParameterName, 'Run this saved plan, if it still holds; - and without a question')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Write nothing: show the plan, or have the API server check both writes as well')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format of the report; what goes on meanwhile is told on standard error')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format of the report; what goes on meanwhile is told on standard error')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--probe', '--probe', [CompletionResultType]::ParameterName, 'Connect to this address every 20 ms meanwhile, from here, and report what failed')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('--all-ports', '--all-ports', [CompletionResultType]::ParameterName, 'Move every port of FROM')
            [CompletionResult]::new('--no-drain', '--no-drain', [CompletionResultType]::ParameterName, 'Keep no established connections over a handoff')
            [CompletionResult]::new('--override-owner', '--override-owner', [CompletionResultType]::ParameterName, 'Go on although Helm, Argo CD or Flux will set the Services back')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Ask nothing')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Ask nothing')
            [CompletionResult]::new('--any-moment', '--any-moment', [CompletionResultType]::ParameterName, 'Write without regard to the agents'' ticks; for measurements')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;migrate;status' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look for it in all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look for it in all namespaces')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;migrate;resume' {
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format of the report; what goes on meanwhile is told on standard error')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format of the report; what goes on meanwhile is told on standard error')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--probe', '--probe', [CompletionResultType]::ParameterName, 'Connect to this address every 20 ms meanwhile, from here, and report what failed')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look for it in all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look for it in all namespaces')
            [CompletionResult]::new('--take-over', '--take-over', [CompletionResultType]::ParameterName, 'Do not wait whether another run still works on it')
            [CompletionResult]::new('--any-moment', '--any-moment', [CompletionResultType]::ParameterName, 'Write without regard to the agents'' ticks; for measurements')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;migrate;rollback' {
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format of the report; what goes on meanwhile is told on standard error')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format of the report; what goes on meanwhile is told on standard error')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--probe', '--probe', [CompletionResultType]::ParameterName, 'Connect to this address every 20 ms meanwhile, from here, and report what failed')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look for it in all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look for it in all namespaces')
            [CompletionResult]::new('--take-over', '--take-over', [CompletionResultType]::ParameterName, 'Do not wait whether another run still works on it')
            [CompletionResult]::new('--any-moment', '--any-moment', [CompletionResultType]::ParameterName, 'Write without regard to the agents'' ticks; for measurements')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Ask nothing')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Ask nothing')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;migrate;abandon' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look for it in all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look for it in all namespaces')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Ask nothing')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Ask nothing')
            [CompletionResult]::new('--take-over', '--take-over', [CompletionResultType]::ParameterName, 'Do not wait whether another run still works on it')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;migrate;list' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'In all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'In all namespaces')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;migrate;help' {
            [CompletionResult]::new('plan', 'plan', [CompletionResultType]::ParameterValue, 'Show the steps, what speaks against them, and how to undo them')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Plan, ask, move, and wait until every node serves it')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show how a migration stands')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Go on with one that stopped')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Bring everything back to how it was')
            [CompletionResult]::new('abandon', 'abandon', [CompletionResultType]::ParameterValue, 'Forget one, and leave all ports as they are')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List migrations')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-vipctl;migrate;help;plan' {
            break
        }
        'kubectl-vipctl;migrate;help;run' {
            break
        }
        'kubectl-vipctl;migrate;help;status' {
            break
        }
        'kubectl-vipctl;migrate;help;resume' {
            break
        }
        'kubectl-vipctl;migrate;help;rollback' {
            break
        }
        'kubectl-vipctl;migrate;help;abandon' {
            break
        }
        'kubectl-vipctl;migrate;help;list' {
            break
        }
        'kubectl-vipctl;migrate;help;help' {
            break
        }
        'kubectl-vipctl;recover' {
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the nodes may take to serve it')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Write nothing: say what would be written, or have the API server check it as well')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--node-timeout', '--node-timeout', [CompletionResultType]::ParameterName, 'How long one agent may take')
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('--deep', '--deep', [CompletionResultType]::ParameterName, 'Compare the tables with the BPF maps; reads the whole map on each node')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;wait' {
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'programmed: every node has each port in its datapath, from this Service; healthy: explain finds no fault either')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long to wait')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--node-timeout', '--node-timeout', [CompletionResultType]::ParameterName, 'How long one agent may take')
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('--deep', '--deep', [CompletionResultType]::ParameterName, 'Compare the tables with the BPF maps; reads the whole map on each node')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;version' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--cilium-namespace', '--cilium-namespace', [CompletionResultType]::ParameterName, 'Namespace of Cilium; found by the agents'' label where it is not given')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('--client', '--client', [CompletionResultType]::ParameterName, 'This program''s version only; connects to nothing')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;code' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List every code')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;completion' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the Services that are named without one')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information on the user to act as; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one read of the API may take (10, 10s, 1m; 0: without end)')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name that the server''s certificate must have')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the server''s certificate authority')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client''s certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client''s key')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell on standard error what is read and how long it takes')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: insecure')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-vipctl;help' {
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain Services, addresses and ports')
            [CompletionResult]::new('capture', 'capture', [CompletionResultType]::ParameterValue, 'Save what explain reads to one file')
            [CompletionResult]::new('migrate', 'migrate', [CompletionResultType]::ParameterValue, 'Move ports between two Services that share a VIP')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Repair a stuck claim by the smallest write that works')
            [CompletionResult]::new('wait', 'wait', [CompletionResultType]::ParameterValue, 'Wait until every node serves a Service')
            [CompletionResult]::new('code', 'code', [CompletionResultType]::ParameterValue, 'Show the page of a finding''s code')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Show the versions of this program and of the cluster')
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-vipctl;help;explain' {
            break
        }
        'kubectl-vipctl;help;capture' {
            break
        }
        'kubectl-vipctl;help;migrate' {
            [CompletionResult]::new('plan', 'plan', [CompletionResultType]::ParameterValue, 'Show the steps, what speaks against them, and how to undo them')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Plan, ask, move, and wait until every node serves it')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show how a migration stands')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Go on with one that stopped')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Bring everything back to how it was')
            [CompletionResult]::new('abandon', 'abandon', [CompletionResultType]::ParameterValue, 'Forget one, and leave all ports as they are')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List migrations')
            break
        }
        'kubectl-vipctl;help;migrate;plan' {
            break
        }
        'kubectl-vipctl;help;migrate;run' {
            break
        }
        'kubectl-vipctl;help;migrate;status' {
            break
        }
        'kubectl-vipctl;help;migrate;resume' {
            break
        }
        'kubectl-vipctl;help;migrate;rollback' {
            break
        }
        'kubectl-vipctl;help;migrate;abandon' {
            break
        }
        'kubectl-vipctl;help;migrate;list' {
            break
        }
        'kubectl-vipctl;help;recover' {
            break
        }
        'kubectl-vipctl;help;wait' {
            break
        }
        'kubectl-vipctl;help;code' {
            break
        }
        'kubectl-vipctl;help;version' {
            break
        }
        'kubectl-vipctl;help;completion' {
            break
        }
        'kubectl-vipctl;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
