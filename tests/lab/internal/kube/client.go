// Package kube is the little of a Kubernetes client that the lab needs: JSON
// objects over HTTP, from inside a network namespace.
package kube

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"vipctl.dev/lab/internal/netns"
	"vipctl.dev/lab/internal/state"
)

// Object is a Kubernetes object as JSON has it.
type Object = map[string]any

// Client talks to the API server of one lab, as its admin.
type Client struct {
	http  *http.Client
	base  string
	token string
}

// StatusError is an answer of the API server that is no success.
type StatusError struct {
	Code    int
	Message string
}

func (e *StatusError) Error() string { return fmt.Sprintf("API server: %d: %s", e.Code, e.Message) }

// Is says whether err is an answer with that HTTP status.
func Is(err error, code int) bool {
	e, ok := err.(*StatusError)
	return ok && e.Code == code
}

// New makes a client for a lab.
func New(l *state.Lab) (*Client, error) {
	ca, err := os.ReadFile(l.Path("pki", "ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return netns.Dial(ctx, l.Netns, network, addr)
		},
		TLSClientConfig:     &tls.Config{RootCAs: pool},
		MaxIdleConnsPerHost: 32,
	}
	return &Client{
		http:  &http.Client{Transport: transport, Timeout: 30 * time.Second},
		base:  "https://" + state.FabIP + ":6443",
		token: Token("admin"),
	}, nil
}

// Token is the bearer token of a user; it opens nothing outside the lab's own
// namespace.
func Token(user string) string { return "lab-" + user }

// Do sends one request. A body that is not nil is sent as JSON; into, if not
// nil, takes the answer. A server that asks for patience, as it does for kinds
// whose storage is being set up, is asked again.
func (c *Client) Do(ctx context.Context, method, path, contentType string, body, into any) error {
	for {
		err := c.once(ctx, method, path, contentType, body, into)
		if !Is(err, http.StatusTooManyRequests) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (c *Client) once(ctx context.Context, method, path, contentType string, body, into any) error {
	var reader io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		reader = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, reader)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", contentType)
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		return &StatusError{resp.StatusCode, message(data)}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(data, into)
}

func message(data []byte) string {
	status := struct{ Message string }{}
	if json.Unmarshal(data, &status) == nil && status.Message != "" {
		return status.Message
	}
	return strings.TrimSpace(string(data))
}

// Get reads an object or a list.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	return c.Do(ctx, http.MethodGet, path, "application/json", nil, into)
}

// Create makes an object; one that is there already is left as it is. The
// field manager tells who would have made it in a real cluster.
func (c *Client) Create(ctx context.Context, path, manager string, obj Object) error {
	err := c.Do(ctx, http.MethodPost, path+"?fieldManager="+manager, "application/json", obj, nil)
	if Is(err, http.StatusConflict) {
		return nil
	}
	return err
}

// Patch merges into an object (or its subresource).
func (c *Client) Patch(ctx context.Context, path, manager string, patch any) error {
	return c.Do(ctx, http.MethodPatch, path+"?fieldManager="+manager, "application/merge-patch+json", patch, nil)
}

// Delete removes an object, or everything of a collection's path.
func (c *Client) Delete(ctx context.Context, path string) error {
	err := c.Do(ctx, http.MethodDelete, path, "application/json", nil, nil)
	if Is(err, http.StatusNotFound) {
		return nil
	}
	return err
}

// List reads the items of a collection; a kind that the server does not know
// has none.
func (c *Client) List(ctx context.Context, path string) ([]Object, error) {
	list := struct{ Items []Object }{}
	err := c.Get(ctx, path, &list)
	if Is(err, http.StatusNotFound) {
		return nil, nil
	}
	return list.Items, err
}

// Meta reads a string of an object's metadata.
func Meta(obj Object, key string) string {
	meta, _ := obj["metadata"].(map[string]any)
	value, _ := meta[key].(string)
	return value
}

// Wait polls until ready says nil or the context is done.
func Wait(ctx context.Context, what string, ready func(context.Context) error) error {
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waited in vain until %s: %w", what, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
