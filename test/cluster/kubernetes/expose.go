package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// runExpose is `expose NETNS (FILE TARGET)…`: listens on ports of 127.0.0.1 of the network namespace that it runs in, and passes each
// connection on to TARGET (address:port) in the namespace NETNS (a path). FILE holds the port: one that is free when there is no FILE
// yet, and the same one from then on.
func runExpose() {
	if len(os.Args) < 4 || len(os.Args)%2 != 0 {
		fmt.Fprintln(os.Stderr, "usage: expose NETNS (FILE TARGET)…")
		os.Exit(2)
	}
	dials := make(chan dial)
	go dialInside(os.Args[1], dials)
	failed := make(chan error)
	for i := 2; i < len(os.Args); i += 2 {
		go func(file, target string) { failed <- expose(file, target, dials) }(os.Args[i], os.Args[i+1])
	}
	fmt.Fprintln(os.Stderr, <-failed)
	os.Exit(1)
}

type dial struct {
	target string
	answer chan net.Conn
}

// dialInside stays on one thread, which alone is in the other namespace. A connection belongs to the namespace that made it.
func dialInside(namespace string, dials chan dial) {
	runtime.LockOSThread()
	file, err := os.Open(namespace)
	if err == nil {
		err = unix.Setns(int(file.Fd()), unix.CLONE_NEWNET)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for wanted := range dials {
		connection, err := net.Dial("tcp4", wanted.target)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		wanted.answer <- connection
	}
}

func expose(file, target string, dials chan dial) error {
	held, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		held, err = []byte("0"), nil
	}
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:"+strings.TrimSpace(string(held)))
	if err != nil {
		return err
	}
	port := fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)
	if err := os.WriteFile(file+".new", []byte(port), 0o644); err != nil {
		return err
	}
	if err := os.Rename(file+".new", file); err != nil {
		return err
	}
	for {
		outside, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			wanted := dial{target, make(chan net.Conn)}
			dials <- wanted
			if inside := <-wanted.answer; inside != nil {
				join(outside.(*net.TCPConn), inside.(*net.TCPConn))
			} else {
				outside.Close()
			}
		}()
	}
}

// join passes bytes on both ways, and each end of a stream on its own.
func join(one, other *net.TCPConn) {
	done := make(chan struct{})
	pass := func(from, to *net.TCPConn) {
		if _, err := io.Copy(to, from); err != nil {
			from.Close()
			to.Close()
		} else {
			to.CloseWrite()
		}
		done <- struct{}{}
	}
	go pass(one, other)
	go pass(other, one)
	<-done
	<-done
	one.Close()
	other.Close()
}
