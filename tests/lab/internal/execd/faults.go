package execd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Faults is the control file that `lab node NAME NODE cut-exec|slow-exec`
// writes. It is read anew for every request, so a fault takes effect at once.
type Faults struct {
	CutAfter *int `json:"cutAfter,omitempty"` // bytes of stdout before the line breaks
	DelayMs  int  `json:"delayMs,omitempty"`  // wait before the command runs
}

func readFaults(file string) (Faults, error) {
	var f Faults
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, fmt.Errorf("%s is not a fault description: %w", file, err)
	}
	return f, nil
}

// errCut ends the copying from the command to a connection that was cut.
var errCut = errors.New("connection cut on request")

// A cutter hands on the first `left` bytes and then cuts the connection, so
// that the reader is left with half an answer and no exit status.
type cutter struct {
	out  io.Writer
	left int
	cut  func()
}

func (c *cutter) Write(p []byte) (int, error) {
	if len(p) < c.left {
		n, err := c.out.Write(p)
		c.left -= n
		return n, err
	}
	n, err := c.out.Write(p[:c.left])
	if err != nil {
		return n, err
	}
	c.left = 0
	c.cut()
	return n, errCut
}
