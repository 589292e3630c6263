package fault

import (
	"testing"

	"vipctl.dev/lab/internal/kube"
)

func TestResetSparesWhatUpMade(t *testing.T) {
	for _, c := range []struct {
		kind            kube.Kind
		namespace, name string
		want            bool
	}{
		{kube.Kind{Name: "services"}, "default", "kubernetes", false},
		{kube.Kind{Name: "services"}, "default", "a", true},
		{kube.Kind{Name: "services"}, "shop", "a", true},
		{kube.Kind{Name: "configmaps"}, "kube-system", "cilium-config", false},
		{kube.Kind{Name: "configmaps"}, "kube-system", "vipctl-192-0-2-10-80-tcp", true},
		{kube.Kind{Name: "configmaps"}, "shop", "vipctl-192-0-2-10-80-tcp", true},
		{kube.Kind{Name: "leases"}, "kube-system", "cilium-operator-resource-lock", false},
		{kube.Kind{Name: "leases"}, "kube-system", "cilium-l2announce-shop-a", true},
		{kube.Kind{Name: "ciliumloadbalancerippools", Group: "cilium.io"}, "", "edge", true},
		{kube.Kind{Name: "storageclasses", Group: "storage.k8s.io"}, "", "fast", false},
	} {
		if got := scenarioMade(c.kind, c.namespace, c.name); got != c.want {
			t.Errorf("%s %s/%s: %v", c.kind.Name, c.namespace, c.name, got)
		}
	}
}
