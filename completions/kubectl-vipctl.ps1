
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
