package execd

import (
	"bytes"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCutterStopsAtTheByte(t *testing.T) {
	var got bytes.Buffer
	cuts := 0
	c := &cutter{out: &got, left: 5, cut: func() { cuts++ }}
	if _, err := c.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte("defgh")); !errors.Is(err, errCut) {
		t.Fatalf("the second write was not cut: %v", err)
	}
	if got.String() != "abcde" || cuts != 1 {
		t.Errorf("got %q and %d cuts", got.String(), cuts)
	}
}

func TestFaultsAreReadAnew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "exec.json")
	if f, err := readFaults(file); err != nil || f.CutAfter != nil || f.DelayMs != 0 {
		t.Errorf("without a file there are no faults: %+v, %v", f, err)
	}
	os.WriteFile(file, []byte(`{"cutAfter":0,"delayMs":20}`), 0o644)
	if f, err := readFaults(file); err != nil || f.CutAfter == nil || *f.CutAfter != 0 || f.DelayMs != 20 {
		t.Errorf("got %+v, %v", f, err)
	}
	os.WriteFile(file, []byte(`{"cutAfter":`), 0o644)
	if _, err := readFaults(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a broken file must be named: %v", err)
	}
}

const someLog = `time=2026-01-02T03:00:00Z level=info msg=old
time=2026-01-02T03:00:10.5Z level=warn msg=new
  a stack trace
time=2026-01-02T03:00:11Z level=info msg=newest
`

func TestLogLines(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 0, 12, 0, time.UTC)
	for query, want := range map[string]string{
		"":                               "old new trace newest",
		"tailLines=2":                    "trace newest",
		"sinceSeconds=5":                 "new trace newest",
		"sinceTime=2026-01-02T03:00:11Z": "newest",
	} {
		values, _ := url.ParseQuery(query)
		q, err := parseLogQuery(values, now)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := selectLines(strings.NewReader(someLog), q)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, line := range lines {
			words := strings.Fields(line)
			got = append(got, strings.TrimPrefix(words[len(words)-1], "msg="))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %v, want %s", query, got, want)
		}
	}
	for _, query := range []string{"tailLines=x", "sinceTime=yesterday", "follow=true", "previous=true"} {
		values, _ := url.ParseQuery(query)
		if _, err := parseLogQuery(values, now); err == nil {
			t.Errorf("%q was accepted", query)
		}
	}
}
