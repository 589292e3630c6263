package state

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for name, good := range map[string]bool{
		"demo": true, "a": true, "a-1": true, "self12345": true,
		"": false, "-a": false, "a-": false, "A": false, "a/b": false, "..": false,
		"a123456789012345678901": false,
	} {
		if err := CheckName(name); (err == nil) != good {
			t.Errorf("CheckName(%q) = %v", name, err)
		}
	}
}

func TestNodeNamesTheOthers(t *testing.T) {
	l := &Lab{Name: "demo", Nodes: []Node{{Name: "nd1"}, {Name: "nd2"}}}
	if n, err := l.Node("nd2"); err != nil || n.Name != "nd2" {
		t.Errorf("nd2: %v, %v", n, err)
	}
	if _, err := l.Node("nd7"); err == nil || !strings.Contains(err.Error(), "nd1 nd2") {
		t.Errorf("nd7: %v", err)
	}
}
