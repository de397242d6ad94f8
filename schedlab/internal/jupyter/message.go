package jupyter

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// delimiter separates the routing frames of a message from its own.
var delimiter = []byte("<IDS|MSG>")

// header is the part of a message that names it; a kernel repeats the header of a request as the parent of each answer.
type header struct {
	ID      string `json:"msg_id"`
	User    string `json:"username"`
	Session string `json:"session"`
	Type    string `json:"msg_type"`
	Version string `json:"version"`
	Date    string `json:"date"`
}

// message is one message of the Jupyter protocol, in either direction.
type message struct {
	header  header
	parent  header
	content json.RawMessage
}

// wire signs and reads messages of one session.
type wire struct {
	key     []byte
	session string
}

// randomHex gives n random bytes as hex digits: names and keys that nobody can guess.
func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// request makes a message of that type with a new id.
func (w wire) request(kind string, content any) (message, error) {
	body, err := json.Marshal(content)
	if err != nil {
		return message{}, fmt.Errorf("%s: %w", kind, err)
	}
	h := header{
		ID: randomHex(16), User: "schedlab", Session: w.session, Type: kind, Version: "5.3",
		Date: time.Now().UTC().Format(time.RFC3339),
	}
	return message{header: h, content: body}, nil
}

// frames gives the message as sent: delimiter, signature, header, parent, metadata, content.
func (w wire) frames(m message) ([][]byte, error) {
	head, err := json.Marshal(m.header)
	if err != nil {
		return nil, err
	}
	parent := []byte("{}")
	if m.parent.ID != "" {
		if parent, err = json.Marshal(m.parent); err != nil {
			return nil, err
		}
	}
	body := [][]byte{head, parent, []byte("{}"), m.content}
	return append([][]byte{delimiter, w.sign(body)}, body...), nil
}

// sign gives the signature of the four body frames in hex digits.
func (w wire) sign(body [][]byte) []byte {
	mac := hmac.New(sha256.New, w.key)
	for _, frame := range body {
		mac.Write(frame)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// parse reads a received message. Any number of routing frames may stand before the delimiter, and extra buffers after the
// content. A wrong signature is an error.
func (w wire) parse(frames [][]byte) (message, error) {
	for len(frames) > 0 && !bytes.Equal(frames[0], delimiter) {
		frames = frames[1:]
	}
	if len(frames) < 6 {
		return message{}, errors.New("message without delimiter or with too few frames")
	}
	body := frames[2:6]
	if !hmac.Equal(w.sign(body), frames[1]) {
		return message{}, errors.New("message with a wrong signature")
	}
	m := message{content: json.RawMessage(body[3])}
	if err := json.Unmarshal(body[0], &m.header); err != nil {
		return message{}, fmt.Errorf("message header: %w", err)
	}
	if err := json.Unmarshal(body[1], &m.parent); err != nil {
		return message{}, fmt.Errorf("parent header: %w", err)
	}
	return m, nil
}
