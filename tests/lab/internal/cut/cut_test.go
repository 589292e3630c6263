package cut

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Plan{
		"1:before":    {N: 1, How: before},
		"12:late=500": {N: 12, How: late, Delay: 500 * time.Millisecond},
		"2:do=a=b; c": {N: 2, How: do, Script: "a=b; c"},
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "after", "0:after", "x:after", "1:", "1:late", "1:late=soon", "1:after=1", "1:do="} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestOnlyWritesThatStayCount(t *testing.T) {
	for line, want := range map[string]bool{
		"PATCH /api/v1/namespaces/shop/services/a?fieldManager=kubectl-vipctl":  true,
		"POST /apis/discovery.k8s.io/v1/namespaces/shop/endpointslices":         true,
		"DELETE /api/v1/namespaces/shop/configmaps/vipctl-x":                    true,
		"PUT /api/v1/namespaces/shop/configmaps/vipctl-x":                       true,
		"GET /api/v1/namespaces/shop/services/a":                                false,
		"PATCH /api/v1/namespaces/shop/services/a?dryRun=All":                   false,
		"POST /api/v1/namespaces/shop/events":                                   false,
		"POST /apis/events.k8s.io/v1/namespaces/shop/events":                    false,
		"POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews":           false,
		"POST /api/v1/namespaces/kube-system/pods/cilium-x/exec?command=cilium": false,
	} {
		method, target, _ := strings.Cut(line, " ")
		if got := mutating(httptest.NewRequest(method, target, nil)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// behind runs one write through a proxy and tells what the server got, what the
// client got and how often the command was killed.
func behind(t *testing.T, plan Plan) (arrived, answered, killed, signalled int) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived++
		w.WriteHeader(http.StatusTeapot)
	}))
	defer server.Close()
	to, _ := url.Parse(server.URL)
	p := &proxy{plan: plan, to: to, via: http.DefaultTransport, began: time.Now()}
	p.kill = func() { killed++ }
	p.signal = func(s os.Signal) {
		if s == syscall.SIGINT {
			signalled++
		}
	}
	front := httptest.NewServer(p)
	defer front.Close()
	// A new connection each: a client may repeat a request on one that it used before.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 2 {
		resp, err := client.Post(front.URL+"/api/v1/namespaces/shop/configmaps", "application/json", strings.NewReader("{}"))
		if err == nil && resp.StatusCode == http.StatusTeapot {
			answered++
		}
	}
	p.held.Wait()
	return arrived, answered, killed, signalled
}

func TestTheWaysToBreakTheSecondWrite(t *testing.T) {
	for _, c := range []struct {
		plan                                 string
		arrived, answered, killed, signalled int
	}{
		{"3:after", 2, 2, 0, 0},
		{"2:before", 1, 1, 1, 0},
		{"2:after", 2, 1, 1, 0},
		{"2:lost", 2, 1, 0, 0},
		{"2:late=20", 2, 1, 0, 0},
		{"2:interrupt", 2, 2, 0, 1},
		{"2:do=exit 0", 2, 2, 0, 0},
	} {
		plan, err := Parse(c.plan)
		if err != nil {
			t.Fatal(err)
		}
		arrived, answered, killed, signalled := behind(t, plan)
		if arrived != c.arrived || answered != c.answered || killed != c.killed || signalled != c.signalled {
			t.Errorf("%s: %d arrived, %d answered, %d killed, %d signalled", c.plan, arrived, answered, killed, signalled)
		}
	}
}
