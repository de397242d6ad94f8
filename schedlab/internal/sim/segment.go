package sim

// add appends ns of cat to the segment being planned on c.
func (e *engine) add(c int32, cat Category, ns int64) {
	p := &e.cpus[c]
	if ns == 0 {
		return
	}
	parts := &e.parts[c]
	p.segLeft += ns
	if n := p.nparts; n > 0 && Category(parts[n-1]&0xff) == cat {
		parts[n-1] += part(ns << 8)
		return
	}
	if p.nparts == maxParts {
		e.squeeze(c, cat, ns)
		return
	}
	parts[p.nparts] = part(ns<<8) | part(cat)
	p.nparts++
}

// squeeze makes room in a full segment by joining parts of one category, of which
// there are no more than a segment has room for, and appends ns of cat. A task
// that is interrupted again and again before it gets anywhere collects switches
// and interrupts.
func (e *engine) squeeze(c int32, cat Category, ns int64) {
	p, parts := &e.cpus[c], &e.parts[c]
	all := append(parts[p.first:p.nparts:p.nparts], part(ns<<8)|part(cat))
	n := 0
next:
	for _, x := range all {
		for i := range parts[:n] {
			if (parts[i]^x)&0xff == 0 {
				parts[i] += x &^ 0xff
				continue next
			}
		}
		parts[n] = x
		n++
	}
	p.first, p.nparts = 0, uint8(n)
}

// begin starts the planned segment of c at the speed its core allows now.
func (e *engine) begin(c int32) {
	p := &e.cpus[c]
	p.segStart = e.now
	p.stretch = e.stretchNow(c)
	e.done.set(c, e.now+stretched(p.segLeft, p.stretch))
}

// stretched is the wall time of ns at full speed, rounded up.
func stretched(ns int64, stretch int32) int64 {
	if stretch == 1024 {
		return ns
	}
	return (ns*int64(stretch) + 1023) >> 10
}

// finish accounts for the whole segment of c, which has just ended, and leaves
// an empty one.
func (e *engine) finish(c int32) {
	p := &e.cpus[c]
	if extra := e.now - p.segStart - p.segLeft; extra > 0 {
		e.slowdown(c, p.segLeft, extra)
	}
	own := &e.cpuTime[c].Account
	parts := e.parts[c][p.first:p.nparts]
	if p.curr == none {
		for _, x := range parts {
			own[x&0xff] += int64(x >> 8)
		}
	} else {
		task := &e.tskTime[p.curr].Account
		for _, x := range parts {
			own[x&0xff] += int64(x >> 8)
			task[x&0xff] += int64(x >> 8)
		}
	}
	p.segLeft, p.segStart, p.first, p.nparts = 0, e.now, 0, 0
}

// settle accounts for the part of c's segment that has passed and keeps the
// rest, so that its speed can change or the books can be closed.
func (e *engine) settle(c int32) {
	p := &e.cpus[c]
	wall := e.now - p.segStart
	if wall == 0 {
		return
	}
	passed := min(wall, p.segLeft)
	if p.stretch != 1024 {
		passed = min(wall*1024/int64(p.stretch), p.segLeft)
	}
	e.slowdown(c, passed, wall-passed)
	p.segLeft -= passed
	p.segStart = e.now
	parts := &e.parts[c]
	for passed > 0 {
		x := &parts[p.first]
		ns := min(passed, int64(*x>>8))
		e.charge(c, Category(*x&0xff), ns)
		passed -= ns
		*x -= part(ns << 8)
		if *x>>8 == 0 {
			p.first++
		}
	}
}

// charge books ns on c and on the task it runs.
func (e *engine) charge(c int32, cat Category, ns int64) {
	e.cpuTime[c].Account[cat] += ns
	if t := e.cpus[c].curr; t != none {
		e.tskTime[t].Account[cat] += ns
	}
}

// activate takes c out of the idle loop.
func (e *engine) activate(c int32) {
	p := &e.cpus[c]
	p.active = true
	if e.follows {
		e.sampleClock(c)
		e.idlers[c].activeAt = e.now
	}
	e.cpuTime[c].Account[Idle] += e.now - p.idleSince
	e.markBusy(c)
	e.llcBusy[p.llc]++
	e.busy[p.core]++
	e.respeed(c)
	if e.onIdle != nil {
		e.tellIdle(c, false)
	}
}

// deactivate puts c into the idle loop.
func (e *engine) deactivate(c int32) {
	p := &e.cpus[c]
	p.active = false
	p.idleSince = e.now
	if d := &e.idlers[c]; e.follows {
		d.busy += e.now - max(d.activeAt, d.sampled)
	}
	e.done.clear(c)
	e.markIdle(c)
	e.enterIdle(c)
	e.llcBusy[p.llc]--
	e.busy[p.core]--
	e.respeed(c)
	e.hintIdleCore(c)
	if e.onIdle != nil {
		e.tellIdle(c, true)
	}
}

// respeed continues the segments of c's siblings at the speed of their core.
func (e *engine) respeed(c int32) {
	core := e.cpus[c].core
	for _, x := range e.threads[core] {
		p := &e.cpus[x]
		if x == c || !p.active {
			continue
		}
		e.settle(x)
		p.stretch = e.stretchNow(x)
		e.done.set(x, e.now+stretched(p.segLeft, p.stretch))
	}
}

// hintIdleCore sets the LLC's hint when c, going idle, completes an idle core.
func (e *engine) hintIdleCore(c int32) {
	p := &e.cpus[c]
	threads := e.threads[p.core]
	if len(threads) == 1 || e.idleCores[p.llc] {
		return
	}
	for _, x := range threads {
		if x != c && !e.looksIdle(x) {
			return
		}
	}
	e.idleCores[p.llc] = true
}

// become moves task t to another account slot.
func (e *engine) become(t int32, cat Category) {
	p := &e.tasks[t]
	if p.cat != running {
		e.tskTime[t].Account[p.cat] += e.now - p.since
	}
	p.cat, p.since = cat, e.now
}

// closeBooks brings every account up to now.
func (e *engine) closeBooks() {
	for _, c := range e.topo.All().CPUs() {
		p := &e.cpus[c]
		if p.active {
			e.settle(int32(c))
			continue
		}
		e.cpuTime[c].Account[Idle] += e.now - p.idleSince
		p.idleSince = e.now
	}
	for t := range e.tasks {
		e.become(int32(t), e.tasks[t].cat)
	}
}
