package timeline

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// Markers that the agent's shell puts behind the output of a command.
const (
	endMark   = "<<end>>"
	errorMark = "<<error>>"
	// Lines that only name the stream the following output came from.
	stdoutMark = "[stdout]"
	stderrMark = "[stderr]"
)

// answerTime bounds one query. An answer takes well under a millisecond; a
// frozen agent accepts the connection and never answers.
const answerTime = time.Second

// A shell is a connection to the StateDB shell of one agent.
type shell struct {
	path string
	conn net.Conn
	in   *bufio.Reader
}

// query sends one command; after any failure the next one connects anew.
func (s *shell) query(command string) (string, error) {
	out, err := s.exchange(command)
	if err != nil {
		s.close()
	}
	return out, err
}

func (s *shell) exchange(command string) (string, error) {
	if s.conn == nil {
		conn, err := net.DialTimeout("unix", s.path, answerTime)
		if err != nil {
			return "", err
		}
		s.conn, s.in = conn, bufio.NewReader(conn)
	}
	if err := s.conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintln(s.conn, command); err != nil {
		return "", err
	}
	var out strings.Builder
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			return "", err
		}
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutSuffix(line, errorMark); ok {
			return "", errors.New(rest)
		}
		rest, ended := strings.CutSuffix(line, endMark)
		if rest != stdoutMark && rest != stderrMark && (rest != "" || !ended) {
			out.WriteString(rest + "\n")
		}
		if ended {
			return out.String(), nil
		}
	}
}

func (s *shell) close() {
	if s.conn != nil {
		s.conn.Close()
	}
	s.conn, s.in = nil, nil
}
