package probe

import (
	"testing"
	"time"
)

func at(ms int, answer, kind string) attempt {
	return attempt{at: time.Duration(ms) * time.Millisecond, answer: answer, kind: kind}
}

var tenPerSecond = plan{network: "tcp", address: "192.0.2.10:80", length: 500 * time.Millisecond, every: 100 * time.Millisecond}

func TestDarkLastsUntilTheNextAnswerBegins(t *testing.T) {
	// Given in the order they ended: the timeouts come last.
	r := summarize(tenPerSecond, []attempt{
		at(0, "A", ""), at(400, "B", ""), at(300, "", kindRefused), at(100, "", kindTimeout), at(200, "", kindTimeout),
	})
	if len(r.Dark) != 1 {
		t.Fatalf("want one dark stretch, got %+v", r.Dark)
	}
	want := Dark{StartMs: 100, LengthMs: 300, Kind: kindTimeout, Attempts: 3, Ended: true}
	if r.Dark[0] != want {
		t.Errorf("got %+v, want %+v", r.Dark[0], want)
	}
	if r.Answered != 2 || r.Failed != 3 || r.Failures[kindTimeout] != 2 {
		t.Errorf("wrong counts: %+v", r)
	}
}

func TestDarkAtTheEndIsNotEnded(t *testing.T) {
	r := summarize(tenPerSecond, []attempt{at(0, "A", ""), at(400, "", kindRefused)})
	want := Dark{StartMs: 400, LengthMs: 100, Kind: kindRefused, Attempts: 1}
	if len(r.Dark) != 1 || r.Dark[0] != want {
		t.Errorf("got %+v, want %+v", r.Dark, want)
	}
}

func TestRunsOfTheSameAnswerSurviveFailures(t *testing.T) {
	r := summarize(tenPerSecond, []attempt{
		at(0, "A", ""), at(100, "", kindReset), at(200, "A", ""), at(300, "B", ""),
	})
	want := []Run{{Text: "A", FromMs: 0, ToMs: 200, Count: 2}, {Text: "B", FromMs: 300, ToMs: 300, Count: 1}}
	if len(r.Answers) != 2 || r.Answers[0] != want[0] || r.Answers[1] != want[1] {
		t.Errorf("got %+v, want %+v", r.Answers, want)
	}
}

func TestNothingFailed(t *testing.T) {
	r := summarize(tenPerSecond, []attempt{at(0, "A", ""), at(100, "A", "")})
	if len(r.Dark) != 0 || r.Failed != 0 {
		t.Errorf("a clean run reports darkness: %+v", r)
	}
}

func TestTargets(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.10:80":         "tcp 192.0.2.10:80",
		"192.0.2.10:53/UDP":     "udp 192.0.2.10:53",
		"[2001:db8::1]:443/tcp": "tcp [2001:db8::1]:443",
	} {
		network, address, err := parseTarget(text)
		if err != nil || network+" "+address != want {
			t.Errorf("%s: got %s %s, %v", text, network, address, err)
		}
	}
	for _, text := range []string{"192.0.2.10", "web:80", "192.0.2.10:80/SCTP"} {
		if _, _, err := parseTarget(text); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}
