package timeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// A row is what a change is judged by; the rest of a frontend is not kept.
type row struct {
	Address  string `json:"address"`
	Type     string `json:"type"`
	Owner    string `json:"owner"`
	Status   string `json:"status"`
	ID       int    `json:"id"`
	Backends int    `json:"backends"`
	Updated  string `json:"updatedAt"`
}

// parseRows reads the shell's stream of JSON objects.
func parseRows(text string) ([]row, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	rows := []row{}
	for {
		var raw struct {
			Address, ServiceName json.RawMessage
			Type                 string
			Status               struct {
				Kind    string `json:"kind"`
				Updated string `json:"updated-at"`
			}
			ID       int
			Backends []json.RawMessage
		}
		err := decoder.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the answer is no frontends: %w", err)
		}
		address, err := addressText(raw.Address)
		if err != nil {
			return nil, err
		}
		owner, err := ownerText(raw.ServiceName)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{address, raw.Type, owner, raw.Status.Kind, raw.ID, len(raw.Backends), raw.Status.Updated})
	}
}

// addressText accepts both forms that agents print: newer ones a text, older
// ones an object.
func addressText(raw json.RawMessage) (string, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var parts struct {
		AddrCluster, Protocol string
		Port, Scope           int
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", fmt.Errorf("unknown form of an address: %s", raw)
	}
	text = net.JoinHostPort(parts.AddrCluster, strconv.Itoa(parts.Port)) + "/" + parts.Protocol
	if parts.Scope == 1 {
		text += "/i"
	}
	return text, nil
}

func ownerText(raw json.RawMessage) (string, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var parts struct{ Namespace, Name string }
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", fmt.Errorf("unknown form of a service name: %s", raw)
	}
	return parts.Namespace + "/" + parts.Name, nil
}

// virtual says whether a row belongs to an address from outside; cluster IPs
// and node ports would only fill the timeline.
func (r row) virtual() bool { return r.Type == "LoadBalancer" || r.Type == "ExternalIPs" }
