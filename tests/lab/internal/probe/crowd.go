package probe

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// CrowdReport is what `clients -o json` prints; field names stay.
type CrowdReport struct {
	ForMs  float64       `json:"forMs"`
	Groups []GroupReport `json:"groups"`
}

// GroupReport is what the clients of one target saw that enter by one node.
type GroupReport struct {
	Target string      `json:"target"`
	Node   string      `json:"node"`
	Fresh  FreshReport `json:"fresh"`
	Kept   keptReport  `json:"kept"`
}

// FreshReport counts new connections.
type FreshReport struct {
	Attempts int            `json:"attempts"`
	Failed   int            `json:"failed"`
	Failures map[string]int `json:"failures"`
	Answers  map[string]int `json:"answers"`
	Dark     []Dark         `json:"dark"`
}

func (g *group) summary(length time.Duration) GroupReport {
	g.lock.Lock()
	defer g.lock.Unlock()
	p := g.plan
	p.length = length
	all := summarize(p, g.attempts)
	fresh := FreshReport{
		Attempts: all.Attempts, Failed: all.Failed, Failures: all.Failures, Answers: map[string]int{}, Dark: all.Dark,
	}
	for _, run := range all.Answers {
		fresh.Answers[run.Text] += run.Count
	}
	return GroupReport{Target: g.target, Node: g.node, Fresh: fresh, Kept: g.kept}
}

func (r CrowdReport) text() string {
	var b strings.Builder
	fresh, failed, kept, broken := 0, 0, 0, 0
	for _, g := range r.Groups {
		fresh, failed = fresh+g.Fresh.Attempts, failed+g.Fresh.Failed
		kept, broken = kept+g.Kept.Opened, broken+len(g.Kept.Broken)
		fmt.Fprintf(&b, "%s by %s\n  new   %d connections, %d failed%s, answers%s\n",
			g.Target, g.Node, g.Fresh.Attempts, g.Fresh.Failed, counts(g.Fresh.Failures), counts(g.Fresh.Answers))
		for _, d := range g.Fresh.Dark {
			fmt.Fprintf(&b, "        dark from %.0fms for %.0fms: %s\n", d.StartMs, d.LengthMs, d.Kind)
		}
		if k := g.Kept; k.Opened+k.NotOpened > 0 {
			fmt.Fprintf(&b, "  kept  %d connections, %d not opened, %d left in peace, %d broken, answers%s\n",
				k.Opened, k.NotOpened, k.Left, len(k.Broken), counts(k.Answers))
			for _, lost := range k.Broken {
				fmt.Fprintf(&b, "        broken at %.0fms, with %s: %s\n", lost.AtMs, lost.Who, lost.Kind)
			}
		}
	}
	fmt.Fprintf(&b, "all: %d new, %d failed; %d kept, %d broken\n", fresh, failed, kept, broken)
	return b.String()
}

func counts(of map[string]int) string {
	if len(of) == 0 {
		return ""
	}
	words := []string{}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		words = append(words, fmt.Sprintf("%s %d", key, of[key]))
	}
	return " (" + strings.Join(words, ", ") + ")"
}
