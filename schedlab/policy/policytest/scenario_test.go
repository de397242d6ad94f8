package policytest

import (
	"strings"
	"testing"
)

// TestBrokenScenarios: a scenario that is written or answered wrongly names its
// line and says what is wrong.
func TestBrokenScenarios(t *testing.T) {
	const head = "machine pack:1 l3:1 core:4 pu:1\npolicy 6.10\n"
	const pair = head + "run client 0\nsleep server 2\n"
	for _, c := range []struct{ text, want string }{
		{pair + "wake server by client -> 1 target-idle", `s.txt:5: "wake server by client -> 1 target-idle": placed on 2 target-idle (3 probes), want 1 target-idle`},
		{pair + "wake server by client -> 2 prev-idle", "placed on 2 target-idle (3 probes), want 2 prev-idle"},
		{pair + "wake server by client -> 2 target-idle probes=4", "probes is 3, want 4"},
		{pair + "wake server by client -> 2 target-idle cores=true", "cores is false, want true"},
		{pair + "wake server by client -> 2 target-idle cost=4", `unknown word "cost=4"`},
		{pair + "wake server by client fast -> 2 target-idle", `unknown word "fast"`},
		{pair + "wake server by clint -> 2 target-idle", `no task "clint"`},
		{pair + "wake server client -> 2 target-idle", "want TASK by TASK|irq=CPU"},
		{pair + "wake server by client -> 2", "want TASK by TASK|irq=CPU"},
		{pair + "wake other by client -> 2 target-idle", `"other" sleeps nowhere`},
		{pair + "wake server by irq=4 -> 2 target-idle", "the machine has no CPU 4"},
		{pair + "run third 0\nwake server by client -> 2 target-idle", "CPU 0 already runs a task"},
		{pair + "busy 3-4\nwake server by client -> 2 target-idle", "no CPU 4"},
		{pair + "load 9 1\nwake server by client -> 2 target-idle", "the machine has no CPU 9"},
		{pair + "hints 0 maybe\nwake server by client -> 2 target-idle", `want cores or nocores, got "maybe"`},
		{pair + "task server lastwakee=nobody\nwake server by client -> 2 target-idle", `no task "nobody"`},
		{pair + "task server colour=red\nwake server by client -> 2 target-idle", `unknown word "colour=red"`},
		{pair + "stop client 0\nwake server by client -> 2 target-idle", "unknown statement"},
		{pair, "needs a machine, a policy and a question"},
		{"policy 6.10\nsleep server 2\nwake server by irq=1 -> 2 target-idle", "needs a machine, a policy and a question"},
		{strings.Replace(pair, "6.10", "6.11", 1) + "wake server by client -> 2 target-idle", `unknown kernel version "6.11"`},
		{strings.Replace(pair, "core:4", "core:x", 1) + "wake server by client -> 2 target-idle", "core:x"},
	} {
		all := blocks("s.txt", "# a story\n\n"+c.text+"\n")
		if len(all) != 1 {
			t.Fatalf("%q is %d scenarios", c.text, len(all))
		}
		s, err := readScenario(all[0])
		if err == nil {
			err = s.run(s.policies[0])
		}
		want := strings.Replace(c.want, "s.txt:5", "s.txt:7", 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", c.text, err, want)
		}
	}
}
