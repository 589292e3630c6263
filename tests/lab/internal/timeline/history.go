package timeline

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Event is one change on one node; `frontends -o json` prints these.
type Event struct {
	At    time.Time `json:"at"`
	Ms    float64   `json:"ms"` // since watching began
	Node  string    `json:"node"`
	Kind  string    `json:"kind"` // appeared, changed, gone, unreadable, readable, none
	Row   *row      `json:"row,omitempty"`
	Error string    `json:"error,omitempty"`
}

// history remembers what a node showed last.
type history struct {
	node   string
	rows   map[string]row
	broken string // why it could not be read last time
}

// compare tells what changed since the last look. While a node cannot be read
// its rows are neither gone nor there, so nothing is said about them.
func (h *history) compare(rows []row, err error) []Event {
	first := h.rows == nil && h.broken == ""
	if err != nil {
		if h.broken != "" {
			return nil
		}
		h.broken = err.Error()
		return []Event{{Node: h.node, Kind: "unreadable", Error: h.broken}}
	}
	events := []Event{}
	if h.broken != "" {
		h.broken = ""
		events = append(events, Event{Node: h.node, Kind: "readable"})
	}
	now := map[string]row{}
	for _, r := range rows {
		if r.virtual() {
			now[r.Address] = r
		}
	}
	for _, address := range sorted(now, h.rows) {
		old, was := h.rows[address]
		fresh, is := now[address]
		switch {
		case was && !is:
			events = append(events, Event{Node: h.node, Kind: "gone", Row: &old})
		case !was:
			events = append(events, Event{Node: h.node, Kind: "appeared", Row: &fresh})
		case old != fresh:
			events = append(events, Event{Node: h.node, Kind: "changed", Row: &fresh})
		}
	}
	if first && len(now) == 0 {
		events = append(events, Event{Node: h.node, Kind: "none"})
	}
	h.rows = now
	return events
}

func sorted(maps ...map[string]row) []string {
	all := []string{}
	for _, m := range maps {
		for address := range m {
			all = append(all, address)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (e Event) text() string {
	if e.Row == nil {
		return strings.TrimSpace(fmt.Sprintf("%s  %s  %s", e.Node, e.Kind, e.Error))
	}
	r := e.Row
	return fmt.Sprintf("%s  %-8s  %s  %s  %s  id %d  %d backends  %s", e.Node, e.Kind, r.Address, r.Owner, r.Status, r.ID, r.Backends, r.Type)
}
