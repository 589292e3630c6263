package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"vipctl.dev/lab/internal/state"
)

// agentGet asks an agent's own API, over its socket.
func agentGet(ctx context.Context, l *state.Lab, node, path string, into any) error {
	client := &http.Client{
		Timeout: 2 * time.Second,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "unix", l.Path(node, "run", "cilium.sock"))
			},
		},
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://agent"+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("brief", "true")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		return fmt.Errorf("%s of the agent of %s (HTTP %d): %w", path, node, resp.StatusCode, err)
	}
	return nil
}

// agentHealth asks an agent for its own opinion, and whether its shell is
// there.
func agentHealth(ctx context.Context, l *state.Lab, node string) error {
	health := struct{ Cilium struct{ State, Msg string } }{}
	if err := agentGet(ctx, l, node, "/v1/healthz", &health); err != nil {
		return err
	}
	if health.Cilium.State != "Ok" {
		return fmt.Errorf("the agent says %q: %s", health.Cilium.State, health.Cilium.Msg)
	}
	_, err := os.Stat(l.ShellSock(node))
	return err
}

// AgentServices lists the Services (namespace/name) that an agent has entries
// for.
func AgentServices(ctx context.Context, l *state.Lab, node string) (map[string]bool, error) {
	entries := []struct {
		Status struct {
			Realized struct {
				Flags struct{ Namespace, Name string }
			}
		}
	}{}
	if err := agentGet(ctx, l, node, "/v1/service", &entries); err != nil {
		return nil, err
	}
	services := map[string]bool{}
	for _, e := range entries {
		services[e.Status.Realized.Flags.Namespace+"/"+e.Status.Realized.Flags.Name] = true
	}
	return services, nil
}
