package cut

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Write is one request that changes something, and what became of it.
type Write struct {
	N      int     `json:"n"`
	Ms     float64 `json:"ms"` // since the command began
	Method string  `json:"method"`
	Path   string  `json:"path"`
	// Status is the API server's answer; 0 where it was never asked.
	Status int    `json:"status"`
	Cut    string `json:"cut,omitempty"`
}

// proxy passes everything on to the API server but the one write of its plan.
type proxy struct {
	plan  Plan
	to    *url.URL
	via   http.RoundTripper
	began time.Time
	// kill ends the command and returns when it is gone; signal only sends.
	kill   func()
	signal func(os.Signal)

	lock   sync.Mutex
	writes []*Write
	// held are late writes, which may outlive the command.
	held sync.WaitGroup
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !mutating(r) {
		p.pass(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	write := p.note(r)
	switch write.Cut {
	case before:
		p.kill()
		panic(http.ErrAbortHandler)
	case late:
		p.held.Go(func() {
			time.Sleep(p.plan.Delay)
			if resp, err := p.send(r, body); err == nil {
				p.answered(write, resp)
				resp.Body.Close()
			}
		})
		panic(http.ErrAbortHandler)
	}
	resp, err := p.send(r, body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	p.answered(write, resp)
	switch write.Cut {
	case after:
		p.kill()
		panic(http.ErrAbortHandler)
	case lost:
		panic(http.ErrAbortHandler)
	case interrupt:
		p.signal(syscall.SIGINT)
	case do:
		p.script()
	}
	for key, values := range resp.Header {
		w.Header()[key] = values
	}
	w.WriteHeader(resp.StatusCode)
	_, _ = w.Write(answer)
}

// pass hands a request on, be it a watch or an exec that leaves HTTP.
func (p *proxy) pass(w http.ResponseWriter, r *http.Request) {
	forward := httputil.ReverseProxy{
		Transport:     p.via,
		FlushInterval: -1,
		Rewrite:       func(out *httputil.ProxyRequest) { out.SetURL(p.to) },
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	forward.ServeHTTP(w, r)
}

// send asks the API server for itself: the command may be gone by the time
// the answer comes.
func (p *proxy) send(r *http.Request, body []byte) (*http.Response, error) {
	out := r.Clone(context.WithoutCancel(r.Context()))
	out.RequestURI = ""
	out.URL.Scheme, out.URL.Host, out.Host = p.to.Scheme, p.to.Host, p.to.Host
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	out.Header.Del("Connection")
	return p.via.RoundTrip(out)
}

func (p *proxy) note(r *http.Request) *Write {
	p.lock.Lock()
	defer p.lock.Unlock()
	w := &Write{N: len(p.writes) + 1, Ms: ms(time.Since(p.began)), Method: r.Method, Path: r.URL.Path}
	if w.N == p.plan.N {
		w.Cut = p.plan.How
	}
	p.writes = append(p.writes, w)
	return w
}

func (p *proxy) answered(w *Write, resp *http.Response) {
	p.lock.Lock()
	defer p.lock.Unlock()
	w.Status = resp.StatusCode
}

// script runs the plan's script where the lab was called, with nothing of it on
// the command's own output.
func (p *proxy) script() {
	cmd := exec.Command("bash", "-c", p.plan.Script)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		os.Stderr.WriteString("lab: the script of --cut: " + err.Error() + "\n")
	}
}

// mutating tells the writes that a test counts: those that stay. Reviews of
// rights change nothing, exec only asks, dry runs only try, and whether an
// Event is written is of no consequence.
func mutating(r *http.Request) bool {
	switch r.Method {
	case http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete:
	default:
		return false
	}
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	for _, word := range path {
		switch word {
		case "exec", "events", "selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews":
			return false
		}
	}
	return r.URL.Query().Get("dryRun") == ""
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
