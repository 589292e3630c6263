package cluster

import (
	"strings"
	"testing"
)

func TestCRDsFollowFeatures(t *testing.T) {
	for _, c := range []struct {
		file   string
		wanted []string
		want   bool
	}{
		{"ciliumloadbalancerippools.yaml", []string{"l2"}, true},
		{"ciliumbgpclusterconfigs.yaml", []string{"l2"}, false},
		{"ciliumbgpclusterconfigs.yaml", []string{"l2", "bgp"}, true},
		{"ciliumenvoyconfigs.yaml", []string{"gateway"}, true},
		{"ciliumegressgatewaypolicies.yaml", []string{"l2", "bgp", "gateway", "ingress"}, false},
	} {
		if got := wantsCRD(c.file, c.wanted); got != c.want {
			t.Errorf("wantsCRD(%s, %v) = %v", c.file, c.wanted, got)
		}
	}
}

func TestSettings(t *testing.T) {
	s, err := newSettings(false, []string{"bgp"})
	if err != nil {
		t.Fatal(err)
	}
	if s["enable-lb-ipam"] != "false" || s["enable-bgp-control-plane"] != "true" {
		t.Errorf("settings: %v", s)
	}
	if _, err := newSettings(true, []string{"magic"}); err == nil || !strings.Contains(err.Error(), "bgp") {
		t.Errorf("an unknown feature should name the known ones: %v", err)
	}
}

func TestPodNamesAreStableAndDiffer(t *testing.T) {
	if podName("nd1") != "cilium-llzdx" || podName("nd1") == podName("nd2") {
		t.Errorf("%s %s", podName("nd1"), podName("nd2"))
	}
}
