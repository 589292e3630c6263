module vipctl.dev/lab

go 1.26.0

require golang.org/x/sys v0.38.0
