package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"time"

	"github.com/go-zeromq/zmq4"
)

// connection is the content of the file a kernel is started with: where to listen and how to sign.
type connection struct {
	Transport string `json:"transport"`
	IP        string `json:"ip"`
	Shell     int    `json:"shell_port"`
	Control   int    `json:"control_port"`
	Stdin     int    `json:"stdin_port"`
	IOPub     int    `json:"iopub_port"`
	Heartbeat int    `json:"hb_port"`
	Key       string `json:"key"`
	Scheme    string `json:"signature_scheme"`
	Name      string `json:"kernel_name"`
}

// newConnection picks five free ports of the loopback interface. Another process may take one before the kernel does; the
// kernel then ends at once and the caller tries again.
func newConnection() (connection, error) {
	c := connection{
		Transport: "tcp", IP: "127.0.0.1", Key: randomHex(32), Scheme: "hmac-sha256", Name: KernelName,
	}
	for _, port := range []*int{&c.Shell, &c.Control, &c.Stdin, &c.IOPub, &c.Heartbeat} {
		l, err := net.Listen("tcp", c.IP+":0")
		if err != nil {
			return c, fmt.Errorf("no free port: %w", err)
		}
		defer l.Close() // after all five are known, so that they differ
		*port = l.Addr().(*net.TCPAddr).Port
	}
	return c, nil
}

// received is a message and the channel it came from.
type received struct {
	channel string // "shell", "control" or "iopub"
	message
}

// client is the front end of one kernel.
type client struct {
	wire
	conn                  connection
	shell, control, iopub zmq4.Socket
	// in delivers everything the kernel sends, in order within a channel.
	in     chan received
	ctx    context.Context
	cancel context.CancelFunc
}

// newClient makes a client that is not connected yet.
func newClient(c connection) *client {
	life, cancel := context.WithCancel(context.Background())
	options := []zmq4.Option{
		zmq4.WithID(zmq4.SocketIdentity("schedlab-" + randomHex(8))),
		zmq4.WithDialerRetry(20 * time.Millisecond), zmq4.WithDialerMaxRetries(-1),
		zmq4.WithTimeout(10 * time.Second), zmq4.WithLogger(log.New(io.Discard, "", 0)),
	}
	return &client{
		wire:    wire{key: []byte(c.Key), session: randomHex(16)},
		conn:    c,
		shell:   zmq4.NewDealer(life, options...),
		control: zmq4.NewDealer(life, options...),
		iopub:   zmq4.NewSub(life, options...),
		in:      make(chan received, 64),
		ctx:     life,
		cancel:  cancel,
	}
}

// dial connects the three channels. It tries until it succeeds or the client is closed.
func (c *client) dial() error {
	address := func(port int) string { return fmt.Sprintf("%s://%s:%d", c.conn.Transport, c.conn.IP, port) }
	if err := c.iopub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		return err
	}
	err := errors.Join(
		c.shell.Dial(address(c.conn.Shell)),
		c.control.Dial(address(c.conn.Control)),
		c.iopub.Dial(address(c.conn.IOPub)),
	)
	if err != nil {
		return fmt.Errorf("no connection to the kernel: %w", err)
	}
	go c.receive("shell", c.shell)
	go c.receive("control", c.control)
	go c.receive("iopub", c.iopub)
	return nil
}

// receive passes on the messages of one channel until it is closed. Messages with a wrong signature are dropped, as the
// protocol asks.
func (c *client) receive(channel string, socket zmq4.Socket) {
	for {
		raw, err := socket.Recv()
		if err != nil {
			return // closed by either side; the end of the kernel's process tells the rest
		}
		m, err := c.parse(raw.Frames)
		if err != nil {
			continue
		}
		select {
		case c.in <- received{channel, m}:
		case <-c.ctx.Done():
			return
		}
	}
}

// send sends a request and gives the id its answers carry as their parent's.
func (c *client) send(socket zmq4.Socket, kind string, content any) (string, error) {
	m, err := c.request(kind, content)
	if err != nil {
		return "", err
	}
	frames, err := c.frames(m)
	if err != nil {
		return "", err
	}
	if err := socket.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		return "", fmt.Errorf("%s not sent: %w", kind, err)
	}
	return m.header.ID, nil
}

// close ends the connections and the goroutines behind them.
func (c *client) close() {
	c.cancel()
	c.shell.Close()
	c.control.Close()
	c.iopub.Close()
}

// idle tells whether m says that the kernel has finished a request.
func (m message) idle() bool {
	var status struct {
		State string `json:"execution_state"`
	}
	return m.header.Type == "status" && json.Unmarshal(m.content, &status) == nil && status.State == "idle"
}
