// Package anyflag parses flags that stand before, between or after arguments,
// as the lab's usage lines show them.
package anyflag

import (
	"flag"
	"io"

	"vipctl.dev/lab/internal/problem"
)

// New makes a flag set that prints nothing by itself; errors name the usage.
func New(name string) *flag.FlagSet {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	return set
}

// Parse returns the arguments that are no flags, and refuses more or fewer
// than wanted.
func Parse(set *flag.FlagSet, args []string, usage string, least, most int) ([]string, error) {
	rest := []string{}
	for {
		if err := set.Parse(args); err != nil {
			return nil, problem.Usagef("%v; usage: lab %s", err, usage)
		}
		if set.NArg() == 0 {
			break
		}
		rest, args = append(rest, set.Arg(0)), set.Args()[1:]
	}
	if len(rest) < least || len(rest) > most {
		return nil, problem.Usagef("usage: lab %s", usage)
	}
	return rest, nil
}
