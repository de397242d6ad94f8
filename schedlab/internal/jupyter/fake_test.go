package jupyter

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// The tests run their own binary under the name "gonb" as a kernel that does what its cells say, one command a line:
//
//	out TEXT, err TEXT     write to a stream       show ID TEXT, update ID TEXT   display data
//	fail TEXT              error output            refuse                         answer "error" without one
//	forged TEXT            wrong signature         foreign TEXT                   somebody else's output
//	child FILE             start a process that stays, write its number to FILE
//	wait                   until interrupted       hang                           for ever
//	exit N                 end the kernel
const fakeEnv = "SCHEDLAB_FAKE_KERNEL"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeEnv); mode != "" {
		fakeKernel(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type fake struct {
	wire
	shell, control, iopub zmq4.Socket
	interrupted           chan struct{}
	counter               int
}

// fakeKernel plays a kernel. mode "exit" ends at once, "clash" as if a port were taken, "mute" never answers, "run" works.
func fakeKernel(mode string) {
	signal.Ignore(os.Interrupt)
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "no kernel today")
		os.Exit(3)
	case "clash":
		fmt.Fprintln(os.Stderr, "listen tcp 127.0.0.1:1: bind: address already in use")
		os.Exit(1)
	case "mute":
		time.Sleep(time.Hour)
	}
	gonb := flag.NewFlagSet("gonb", flag.ExitOnError)
	gonb.Bool("raw_error", false, "")
	file := gonb.String("kernel", "", "")
	gonb.Parse(os.Args[1:])
	data, err := os.ReadFile(*file)
	if err != nil {
		panic(err)
	}
	var c connection
	if err := json.Unmarshal(data, &c); err != nil {
		panic(err)
	}
	ctx := context.Background()
	f := &fake{
		wire:  wire{key: []byte(c.Key), session: "fake"},
		shell: zmq4.NewRouter(ctx), control: zmq4.NewRouter(ctx), iopub: zmq4.NewPub(ctx),
		interrupted: make(chan struct{}, 1),
	}
	for port, socket := range map[int]zmq4.Socket{c.Shell: f.shell, c.Control: f.control, c.IOPub: f.iopub} {
		if err := socket.Listen(fmt.Sprintf("tcp://%s:%d", c.IP, port)); err != nil {
			panic(err)
		}
	}
	go f.serve(f.shell)
	f.serve(f.control)
}

func (f *fake) serve(socket zmq4.Socket) {
	for {
		raw, err := socket.Recv()
		if err != nil {
			return
		}
		m, err := f.parse(raw.Frames)
		if err != nil {
			panic(err)
		}
		from := raw.Frames[0]
		switch m.header.Type {
		case "kernel_info_request":
			f.publish(m, "status", `{"execution_state":"busy"}`)
			f.answer(socket, from, m, "kernel_info_reply", `{"status":"ok"}`)
		case "execute_request":
			f.publish(m, "status", `{"execution_state":"busy"}`)
			status := f.execute(m)
			f.counter++
			f.answer(socket, from, m, "execute_reply", fmt.Sprintf(`{"status":%q,"execution_count":%d}`, status, f.counter))
			f.publish(m, "status", `{"execution_state":"idle"}`)
		case "interrupt_request":
			f.interrupted <- struct{}{}
			f.answer(socket, from, m, "interrupt_reply", `{"status":"ok"}`)
		case "shutdown_request":
			os.Exit(0) // without an answer, as GoNB does
		}
	}
}

func (f *fake) execute(m message) (status string) {
	var content struct {
		Code         string
		Silent       *bool
		StoreHistory *bool `json:"store_history"`
	}
	if err := json.Unmarshal(m.content, &content); err != nil || content.Silent == nil || content.StoreHistory == nil {
		panic("execute_request lacks a field")
	}
	status = "ok"
	for _, line := range strings.Split(content.Code, "\n") {
		command, rest, _ := strings.Cut(line, " ")
		id, text, _ := strings.Cut(rest, " ")
		switch command {
		case "out":
			f.publish(m, "stream", fmt.Sprintf(`{"name":"stdout","text":%q}`, rest+"\n"))
		case "err":
			f.publish(m, "stream", fmt.Sprintf(`{"name":"stderr","text":%q}`, rest+"\n"))
		case "show":
			f.publish(m, "display_data", fmt.Sprintf(`{"data":{"text/plain":%q},"metadata":{},"transient":{"display_id":%q}}`, text, id))
		case "update":
			f.publish(m, "update_display_data", fmt.Sprintf(`{"data":{"text/plain":%q},"metadata":{},"transient":{"display_id":%q}}`, text, id))
		case "fail":
			f.publish(m, "error", fmt.Sprintf(`{"ename":"ERROR","evalue":%q,"traceback":["\u001b[31mred\u001b[0m"]}`, rest))
			return "error"
		case "refuse":
			return "error"
		case "forged":
			other := *f
			other.key = []byte("not the key")
			other.publish(m, "stream", fmt.Sprintf(`{"name":"stderr","text":%q}`, rest))
		case "foreign":
			f.publish(message{header: header{ID: "another request"}}, "stream", fmt.Sprintf(`{"name":"stderr","text":%q}`, rest))
		case "child":
			child := exec.Command("sleep", "1000")
			if err := child.Start(); err != nil {
				panic(err)
			}
			os.WriteFile(rest, []byte(strconv.Itoa(child.Process.Pid)), 0o600)
		case "wait":
			<-f.interrupted
		case "hang":
			select {}
		case "exit":
			n, _ := strconv.Atoi(rest)
			fmt.Fprintln(os.Stderr, "ending as told")
			os.Exit(n)
		}
	}
	return status
}

func (f *fake) publish(parent message, kind, content string) {
	f.deliver(f.iopub, [][]byte{[]byte(kind)}, parent, kind, content)
}

func (f *fake) answer(socket zmq4.Socket, to []byte, parent message, kind, content string) {
	f.deliver(socket, [][]byte{to}, parent, kind, content)
}

func (f *fake) deliver(socket zmq4.Socket, route [][]byte, parent message, kind, content string) {
	m, err := f.request(kind, json.RawMessage(content))
	if err != nil {
		panic(err)
	}
	m.parent = parent.header
	frames, err := f.frames(m)
	if err != nil {
		panic(err)
	}
	socket.SendMulti(zmq4.NewMsgFrom(append(route, frames...)...))
}
