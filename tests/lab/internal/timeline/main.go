// Package timeline watches the frontends of VIPs on every node and tells each
// change of owner, status or backends.
package timeline

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"vipctl.dev/lab/internal/anyflag"
	"vipctl.dev/lab/internal/problem"
	"vipctl.dev/lab/internal/state"
)

const usage = "frontends NAME [VIP] [--every D] [--for D] [-o text|json]"

// Main prints the timeline of all nodes of a lab.
func Main(args []string) error {
	var every, length time.Duration
	output := "text"
	set := anyflag.New("frontends")
	set.DurationVar(&every, "every", 10*time.Millisecond, "time between two looks at a node")
	set.DurationVar(&length, "for", 0, "how long to watch; 0 looks once")
	set.StringVar(&output, "o", output, "text, or json for one object per line")
	rest, err := anyflag.Parse(set, args, usage, 1, 2)
	if err != nil {
		return err
	}
	if output != "text" && output != "json" {
		return problem.Usagef("-o %s: only text and json are known", output)
	}
	if every <= 0 {
		return problem.Usagef("--every must be more than 0")
	}
	lab, err := state.Load(rest[0])
	if err != nil {
		return err
	}
	query := "db/show -f json frontends"
	if len(rest) == 2 {
		if net.ParseIP(rest[1]) == nil {
			return problem.Usagef("%q is no address; usage: lab %s", rest[1], usage)
		}
		query = "db/prefix -f json frontends " + rest[1]
	}
	watch(lab, query, every, length, printer(os.Stdout, output))
	return nil
}

// watch looks at every node at its own pace: a node that hangs delays no other.
func watch(lab *state.Lab, query string, every, length time.Duration, emit func(Event)) {
	began := time.Now()
	var lock sync.Mutex
	var nodes sync.WaitGroup
	for _, node := range lab.Nodes {
		nodes.Go(func() {
			sh := &shell{path: lab.ShellSock(node.Name)}
			defer sh.close()
			seen := history{node: node.Name}
			ticker := time.NewTicker(every)
			defer ticker.Stop()
			for {
				rows, err := look(sh, query)
				at := time.Now()
				lock.Lock()
				for _, event := range seen.compare(rows, err) {
					event.At, event.Ms = at.UTC(), float64(at.Sub(began).Microseconds())/1000
					emit(event)
				}
				lock.Unlock()
				if time.Since(began) >= length {
					return
				}
				<-ticker.C
			}
		})
	}
	nodes.Wait()
}

func look(sh *shell, query string) ([]row, error) {
	text, err := sh.query(query)
	if err != nil {
		return nil, err
	}
	return parseRows(text)
}

func printer(out io.Writer, output string) func(Event) {
	if output == "json" {
		encoder := json.NewEncoder(out)
		return func(e Event) { encoder.Encode(e) }
	}
	return func(e Event) { fmt.Fprintf(out, "%9.1fms  %s\n", e.Ms, e.text()) }
}
