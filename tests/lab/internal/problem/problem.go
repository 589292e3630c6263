// Package problem holds the error that carries an exit code, so that every
// part of the lab ends the process in the same way.
package problem

import (
	"errors"
	"fmt"
)

// Exit codes of the lab command.
const (
	Failed  = 1 // the lab or a part of it did not do what was asked
	Usage   = 2 // the command line cannot be understood
	Missing = 3 // this machine lacks something the lab needs
)

// Error is an error with the exit code it ends the process with.
type Error struct {
	Code int
	Text string
}

func (e *Error) Error() string { return e.Text }

// Usagef says that the command line is wrong, and how to write it.
func Usagef(format string, args ...any) error {
	return &Error{Usage, fmt.Sprintf(format, args...)}
}

// Missingf says what this machine lacks.
func Missingf(format string, args ...any) error {
	return &Error{Missing, fmt.Sprintf(format, args...)}
}

// Exit passes on the exit code of a command whose own output said enough.
func Exit(code int) error { return &Error{Code: code} }

// CodeOf is the exit code that an error stands for.
func CodeOf(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	if err != nil {
		return Failed
	}
	return 0
}
