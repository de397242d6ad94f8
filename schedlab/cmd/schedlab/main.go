// Command schedlab simulates where Linux places waking tasks and reproduces what
// mailing-list threads published about it. Run it without arguments for three
// commands to try; see the package schedlab for the library.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
