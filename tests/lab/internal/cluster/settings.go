// Package cluster starts and ends the parts of a lab: namespaces, etcd, the
// API server, Cilium's operator and one agent per node.
package cluster

import (
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"vipctl.dev/lab/internal/problem"
)

// settings is the ConfigMap cilium-config. Operator and agents read the same
// data from a directory, as in a real cluster, so it always tells the truth.
type settings map[string]string

func baseSettings() settings {
	return settings{
		"auto-direct-node-routes": "false",
		"bpf-lb-sock":             "false",
		"cluster-id":              "0",
		"cluster-name":            "lab",
		"cni-exclusive":           "false",
		// While nothing else happened, 1 connection of 71,000 was reset with a
		// sweep every 5 s, and none of 120,000 before the first one.
		"conntrack-gc-interval":           "1h",
		"default-lb-service-ipam":         "lbipam",
		"devices":                         "eth0",
		"enable-endpoint-health-checking": "false",
		"enable-health-checking":          "false",
		"enable-hubble":                   "false",
		"enable-ipv4":                     "true",
		"enable-ipv4-masquerade":          "false",
		"enable-ipv6":                     "false",
		"enable-l2-announcements":         "true",
		"enable-l7-proxy":                 "false",
		"enable-lb-ipam":                  "true",
		"enable-local-redirect-policy":    "false",
		"enable-policy":                   "never",
		"gops-port":                       "0",
		"identity-allocation-mode":        "crd",
		"identity-gc-interval":            "0s",
		// Kube-proxy replacement insists on it.
		"install-iptables-rules":   "true",
		"ipam":                     "kubernetes",
		"ipv4-native-routing-cidr": "10.244.0.0/16",
		"kube-proxy-replacement":   "true",
		// Another node takes an address over within seconds.
		"l2-announcements-lease-duration": "5s",
		"l2-announcements-renew-deadline": "3s",
		"l2-announcements-retry-period":   "1s",
		"leader-election-lease-duration":  "5s",
		"leader-election-renew-deadline":  "3s",
		"leader-election-retry-period":    "1s",
		"operator-api-serve-addr":         "127.0.0.1:9234",
		"operator-prometheus-serve-addr":  "127.0.0.1:9963",
		"routing-mode":                    "native",
		// `up` made them; the operator would spend half a second on each, even
		// on finding it there, before it allocates a single address.
		"skip-crd-creation":         "true",
		"write-cni-conf-when-ready": "",
		"enable-ingress-controller": "false",
		"enable-envoy-config":       "false",
		"enable-bgp-control-plane":  "false",
	}
}

// features are the parts of Cilium that `up --features` turns on. L2
// announcements are always on.
var features = map[string]settings{
	"l2":  {},
	"bgp": {"enable-bgp-control-plane": "true"},
	"ingress": {
		"enable-ingress-controller": "true",
		"enable-envoy-config":       "true",
		"enable-l7-proxy":           "true",
		"enable-policy":             "default",
	},
	"gateway": {
		"enable-gateway-api":  "true",
		"enable-envoy-config": "true",
		"enable-l7-proxy":     "true",
		"enable-policy":       "default",
	},
}

// newSettings are the settings of a lab.
func newSettings(lbIPAM bool, wanted []string) (settings, error) {
	s := baseSettings()
	if !lbIPAM {
		s["enable-lb-ipam"] = "false"
		s["default-lb-service-ipam"] = "none"
	}
	for _, name := range wanted {
		extra, ok := features[name]
		if !ok {
			known := []string{}
			for name := range features {
				known = append(known, name)
			}
			sort.Strings(known)
			return nil, problem.Usagef("no feature %q; there are: %s", name, strings.Join(known, ","))
		}
		for key, value := range extra {
			s[key] = value
		}
	}
	return s, nil
}

// write puts one file per setting into dir.
func (s settings) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for key, value := range s {
		if err := os.WriteFile(filepath.Join(dir, key), []byte(value), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// crdFeatures names the CRDs that Cilium makes only with a feature; those
// without one it never makes in a lab.
var crdFeatures = map[string][]string{
	"ciliumbgp":                     {"bgp"},
	"ciliumenvoyconfigs":            {"ingress", "gateway"},
	"ciliumclusterwideenvoyconfigs": {"ingress", "gateway"},
	"ciliumgatewayclassconfigs":     {"gateway"},
	"ciliumegressgatewaypolicies":   nil,
	"ciliumlocalredirectpolicies":   nil,
	"ciliumendpointslices":          nil,
	"ciliumdatapathplugins":         nil,
}

// wantsCRD says whether a cluster with these features has that CRD.
func wantsCRD(file string, wanted []string) bool {
	for prefix, needs := range crdFeatures {
		if strings.HasPrefix(file, prefix) {
			return slices.ContainsFunc(needs, func(feature string) bool { return slices.Contains(wanted, feature) })
		}
	}
	return true
}
