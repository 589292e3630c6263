package execd

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// logQuery is the part of a log request that the lab answers.
type logQuery struct {
	tail       int // last lines to show, -1 for all
	since      time.Time
	limit      int64 // bytes, -1 for no limit
	timestamps bool
}

func parseLogQuery(q url.Values, now time.Time) (logQuery, error) {
	want := logQuery{tail: -1, limit: -1, timestamps: q.Get("timestamps") == "true"}
	if q.Get("follow") == "true" {
		return want, fmt.Errorf("the lab does not follow logs: leave out follow")
	}
	if q.Get("previous") == "true" {
		return want, fmt.Errorf("previous terminated container not found")
	}
	number := func(key string) (int64, bool, error) {
		if q.Get(key) == "" {
			return 0, false, nil
		}
		n, err := strconv.ParseInt(q.Get(key), 10, 64)
		if err != nil || n < 0 {
			return 0, false, fmt.Errorf("%s: %q is not a count", key, q.Get(key))
		}
		return n, true, nil
	}
	if n, ok, err := number("tailLines"); err != nil {
		return want, err
	} else if ok {
		want.tail = int(n)
	}
	if n, ok, err := number("limitBytes"); err != nil {
		return want, err
	} else if ok {
		want.limit = n
	}
	if n, ok, err := number("sinceSeconds"); err != nil {
		return want, err
	} else if ok {
		want.since = now.Add(-time.Duration(n) * time.Second)
	}
	if text := q.Get("sinceTime"); text != "" {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return want, fmt.Errorf("sinceTime: %q is not an RFC 3339 time", text)
		}
		want.since = t
	}
	return want, nil
}

// lineTime reads the `time=` that Cilium's programs put in front of a line.
func lineTime(line string) (time.Time, bool) {
	rest, ok := strings.CutPrefix(line, "time=")
	if !ok {
		return time.Time{}, false
	}
	text, _, _ := strings.Cut(rest, " ")
	t, err := time.Parse(time.RFC3339Nano, strings.Trim(text, `"`))
	return t, err == nil
}

// selectLines copies what was asked for. A line without a time of its own (a
// stack trace) belongs to the line before it.
func selectLines(in io.Reader, want logQuery) ([]string, error) {
	var lines []string
	var at time.Time
	scan := bufio.NewScanner(in)
	scan.Buffer(make([]byte, 64<<10), 16<<20)
	for scan.Scan() {
		line := scan.Text()
		if t, ok := lineTime(line); ok {
			at = t
		}
		if !want.since.IsZero() && at.Before(want.since) {
			continue
		}
		if want.timestamps {
			line = at.UTC().Format(time.RFC3339Nano) + " " + line
		}
		lines = append(lines, line)
	}
	if want.tail >= 0 && len(lines) > want.tail {
		lines = lines[len(lines)-want.tail:]
	}
	return lines, scan.Err()
}

// serveLogs answers /containerLogs from the file that the agent's output goes
// to. It works for a dead agent too, as with a kubelet.
func (s *server) serveLogs(w http.ResponseWriter, r *http.Request) {
	file, err := s.logFile(r.PathValue("ns"), r.PathValue("pod"), r.PathValue("container"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	want, err := parseLogQuery(r.URL.Query(), time.Now())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	in, err := os.Open(file)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer in.Close()
	lines, err := selectLines(in, want)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	left := want.limit
	for _, line := range lines {
		line += "\n"
		if want.limit >= 0 && int64(len(line)) > left {
			line = line[:left]
		}
		left -= int64(len(line))
		if _, err := io.WriteString(w, line); err != nil || left == 0 {
			return
		}
	}
}
