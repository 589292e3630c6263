package probe

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Report is what `probe -o json` prints; field names stay.
type Report struct {
	Target   string         `json:"target"`
	ForMs    float64        `json:"forMs"`
	EveryMs  float64        `json:"everyMs"`
	Attempts int            `json:"attempts"`
	Answered int            `json:"answered"`
	Failed   int            `json:"failed"`
	Failures map[string]int `json:"failures"`
	Answers  []Run          `json:"answers"`
	Dark     []Dark         `json:"dark"`
}

// Run is a stretch of answers by the same server. Failures in between do not
// end it; another server's answer does.
type Run struct {
	Text   string  `json:"text"`
	FromMs float64 `json:"fromMs"`
	ToMs   float64 `json:"toMs"`
	Count  int     `json:"count"`
}

// Dark is a stretch without answers: from the beginning of the first failed
// attempt to the beginning of the next answered one.
type Dark struct {
	StartMs  float64 `json:"startMs"`
	LengthMs float64 `json:"lengthMs"`
	Kind     string  `json:"kind"` // of its first failure
	Attempts int     `json:"attempts"`
	Ended    bool    `json:"ended"` // false: still dark when probing stopped
}

func ms(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Millisecond)
}

// summarize orders the attempts by their beginning; they ended in any order.
func summarize(p plan, attempts []attempt) Report {
	attempts = slices.Clone(attempts)
	slices.SortStableFunc(attempts, func(a, b attempt) int { return int(a.at - b.at) })
	r := Report{
		Target: p.address + "/" + strings.ToUpper(p.network), ForMs: ms(p.length), EveryMs: ms(p.every),
		Attempts: len(attempts), Failures: map[string]int{}, Answers: []Run{}, Dark: []Dark{},
	}
	for _, a := range attempts {
		if a.kind == "" {
			r.Answered++
			continue
		}
		r.Failed++
		r.Failures[a.kind]++
	}
	r.Answers = runs(attempts)
	r.Dark = darks(attempts, p.length)
	return r
}

func runs(attempts []attempt) []Run {
	all := []Run{}
	for _, a := range attempts {
		if a.kind != "" {
			continue
		}
		if last := len(all) - 1; last >= 0 && all[last].Text == a.answer {
			all[last].ToMs = ms(a.at)
			all[last].Count++
			continue
		}
		all = append(all, Run{Text: a.answer, FromMs: ms(a.at), ToMs: ms(a.at), Count: 1})
	}
	return all
}

func darks(attempts []attempt, end time.Duration) []Dark {
	all := []Dark{}
	var began time.Duration
	dark := false
	for _, a := range attempts {
		switch {
		case a.kind != "" && !dark:
			dark, began = true, a.at
			all = append(all, Dark{StartMs: ms(a.at), Kind: a.kind, Attempts: 1})
		case a.kind != "":
			all[len(all)-1].Attempts++
		case dark:
			dark = false
			all[len(all)-1].LengthMs, all[len(all)-1].Ended = ms(a.at-began), true
		}
	}
	if dark {
		all[len(all)-1].LengthMs = ms(max(end-began, 0))
	}
	return all
}

func (r Report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d attempts, one every %gms: %d answered, %d failed", r.Target, r.Attempts, r.EveryMs, r.Answered, r.Failed)
	kinds := []string{}
	for kind, n := range r.Failures {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, n))
	}
	if slices.Sort(kinds); len(kinds) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(kinds, ", "))
	}
	b.WriteString("\n")
	for _, run := range r.Answers {
		fmt.Fprintf(&b, "  %8.0fms to %8.0fms  answered by %s (%d)\n", run.FromMs, run.ToMs, run.Text, run.Count)
	}
	for _, d := range r.Dark {
		rest := ""
		if !d.Ended {
			rest = ", still dark at the end"
		}
		fmt.Fprintf(&b, "  dark from %.0fms for %.0fms: %s, %d attempts%s\n", d.StartMs, d.LengthMs, d.Kind, d.Attempts, rest)
	}
	return b.String()
}
