package cluster

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"vipctl.dev/lab/internal/kube"
	"vipctl.dev/lab/internal/state"
)

// OperatorPod is the name of the operator's Pod.
const OperatorPod = "cilium-operator-6f7b9d5c48-x7k2m"

const systemPods = "/api/v1/namespaces/kube-system/pods"

// podName gives a node's agent Pod a name that looks generated and yet is the
// same in every lab.
func podName(node string) string {
	const alphabet = "bcdfghjklmnpqrstvwxz2456789"
	sum := sha256.Sum256([]byte("cilium " + node))
	suffix := ""
	for _, b := range sum[:5] {
		suffix += string(alphabet[int(b)%len(alphabet)])
	}
	return "cilium-" + suffix
}

// createNode makes what a kubelet would have registered.
func createNode(ctx context.Context, l *state.Lab, c *kube.Client, n *state.Node) error {
	cidr := fmt.Sprintf("10.244.%s.0/24", strings.TrimPrefix(n.Name, "nd"))
	err := c.Create(ctx, "/api/v1/nodes", "kubelet", kube.Object{
		"apiVersion": "v1", "kind": "Node",
		"metadata": kube.Object{"name": n.Name, "labels": kube.Object{
			"kubernetes.io/hostname": n.Name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
		}},
		"spec": kube.Object{"podCIDR": cidr, "podCIDRs": []string{cidr}},
	})
	if err != nil {
		return fmt.Errorf("node %s: %w", n.Name, err)
	}
	now := time.Now().UTC().Format(time.RFC3339)
	return c.Patch(ctx, "/api/v1/nodes/"+n.Name+"/status", "kubelet", kube.Object{"status": kube.Object{
		"addresses":       []kube.Object{{"type": "InternalIP", "address": n.IP}},
		"daemonEndpoints": kube.Object{"kubeletEndpoint": kube.Object{"Port": 10250}},
		"nodeInfo": kube.Object{
			"kubeletVersion": "v" + l.Versions["kubernetes"], "operatingSystem": "linux", "architecture": "amd64",
			"machineID": n.Name, "systemUUID": n.Name, "bootID": n.Name, "kernelVersion": "", "osImage": "",
			"containerRuntimeVersion": "", "kubeProxyVersion": "",
		},
		"conditions": []kube.Object{{
			"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status",
			"lastHeartbeatTime": now, "lastTransitionTime": now,
		}},
	}})
}

// createPod makes a Pod that stands for a process the lab runs by itself.
func createPod(ctx context.Context, c *kube.Client, name, node, container, image string, labels kube.Object) error {
	err := c.Create(ctx, systemPods, "kube-controller-manager", kube.Object{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": kube.Object{"name": name, "namespace": "kube-system", "labels": labels},
		"spec": kube.Object{
			"nodeName": node, "hostNetwork": true,
			"tolerations": []kube.Object{{"operator": "Exists"}},
			"containers":  []kube.Object{{"name": container, "image": image}},
		},
	})
	if err != nil {
		return fmt.Errorf("pod %s: %w", name, err)
	}
	return nil
}

func createAgentPod(ctx context.Context, l *state.Lab, c *kube.Client, n *state.Node) error {
	return createPod(ctx, c, n.Pod, n.Name, "cilium-agent", "quay.io/cilium/cilium:v"+l.Versions["cilium"], kube.Object{
		"k8s-app": "cilium", "app.kubernetes.io/name": "cilium-agent", "app.kubernetes.io/part-of": "cilium",
	})
}

func createOperatorPod(ctx context.Context, l *state.Lab, c *kube.Client) error {
	image := "quay.io/cilium/operator-generic:v" + l.Versions["cilium"]
	return createPod(ctx, c, OperatorPod, l.Nodes[0].Name, "cilium-operator", image, kube.Object{
		"io.cilium/app": "operator", "name": "cilium-operator",
		"app.kubernetes.io/name": "cilium-operator", "app.kubernetes.io/part-of": "cilium",
	})
}

// SetPodReady tells the API what a kubelet would tell of a Pod whose process
// came up or went away.
func SetPodReady(ctx context.Context, c *kube.Client, name, ip string, ready bool) error {
	pod := struct {
		Spec struct {
			Containers []struct{ Name, Image string }
		}
	}{}
	if err := c.Get(ctx, systemPods+"/"+name, &pod); err != nil {
		return err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	container := pod.Spec.Containers[0]
	status, running := "True", kube.Object{"running": kube.Object{"startedAt": now}}
	if !ready {
		status = "False"
		running = kube.Object{"terminated": kube.Object{"exitCode": 137, "reason": "Error", "finishedAt": now}}
	}
	condition := func(kind string) kube.Object {
		return kube.Object{"type": kind, "status": status, "lastTransitionTime": now}
	}
	return c.Patch(ctx, systemPods+"/"+name+"/status", "kubelet", kube.Object{"status": kube.Object{
		"phase": "Running", "hostIP": ip, "podIP": ip, "startTime": now,
		"hostIPs":    []kube.Object{{"ip": ip}},
		"podIPs":     []kube.Object{{"ip": ip}},
		"conditions": []kube.Object{condition("Ready"), condition("ContainersReady")},
		"containerStatuses": []kube.Object{{
			"name": container.Name, "image": container.Image, "imageID": container.Image,
			"ready": ready, "started": ready, "restartCount": 0, "state": running,
		}},
	}})
}

// createSecretsNamespace makes the namespace where Ingress and Gateway keep
// certificates.
func createSecretsNamespace(ctx context.Context, c *kube.Client) error {
	return c.Create(ctx, "/api/v1/namespaces", "helm", kube.Object{
		"apiVersion": "v1", "kind": "Namespace", "metadata": kube.Object{"name": "cilium-secrets"},
	})
}

func createConfigMap(ctx context.Context, c *kube.Client, s settings) error {
	return c.Create(ctx, "/api/v1/namespaces/kube-system/configmaps", "helm", kube.Object{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": kube.Object{"name": "cilium-config", "namespace": "kube-system"},
		"data":     s,
	})
}
