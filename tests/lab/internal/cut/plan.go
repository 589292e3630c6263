// Package cut stands between a command and the API server and breaks one of
// the command's writes, so that a test can do so at every write there is.
package cut

import (
	"strconv"
	"strings"
	"time"

	"vipctl.dev/lab/internal/problem"
)

// Usage is how a plan is written.
const Usage = "--cut N:before|after|lost|late=MS|interrupt|do=SCRIPT"

// The ways to break a write.
const (
	before    = "before"    // the command is killed, the write never arrives
	after     = "after"     // the write is done, the command is killed before it hears of it
	lost      = "lost"      // the write is done, the command lives on without an answer
	late      = "late"      // no answer, and the write arrives when nobody expects it
	interrupt = "interrupt" // the write is done and answered, and the command gets a SIGINT
	do        = "do"        // the write is done, a script runs, then it is answered
)

// Plan says which write to break, and how.
type Plan struct {
	N      int // counted from 1
	How    string
	Delay  time.Duration // of late
	Script string        // of do
}

// Parse reads N:HOW[=VALUE].
func Parse(text string) (Plan, error) {
	number, how, _ := strings.Cut(text, ":")
	how, value, given := strings.Cut(how, "=")
	p := Plan{How: how}
	var err error
	if p.N, err = strconv.Atoi(number); err != nil || p.N < 1 {
		return p, problem.Usagef("--cut %q: N counts from 1; usage: %s", text, Usage)
	}
	known := given == (how == late || how == do)
	switch how {
	case before, after, lost, interrupt:
	case late:
		ms, err := strconv.Atoi(value)
		known = known && err == nil && ms >= 0
		p.Delay = time.Duration(ms) * time.Millisecond
	case do:
		known = known && value != ""
		p.Script = value
	default:
		known = false
	}
	if !known {
		return p, problem.Usagef("--cut %q; usage: %s", text, Usage)
	}
	return p, nil
}
