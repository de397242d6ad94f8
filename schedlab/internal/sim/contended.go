package sim

// contended is a line, or a spinning lock, that serves one CPU at a time, first
// come first served. Since a visit's length is known when it is asked for (the
// CPU before is known then), waiting needs no event: it is the time until the
// line is free.
type contended struct {
	freeAt int64
	owner  int32 // CPU that had it last
}

// touch lets t, on c, wait for a line, fetch it and hold it.
func (e *engine) touch(c, t int32) {
	k := &e.tasks[t]
	s := &e.steps[k.pc]
	x := &e.lines[e.lineBase[t]+s.Line]
	begin := max(e.now, x.freeAt)
	var transfer int64
	if x.owner != none {
		transfer = e.price.contended[e.distance(c, x.owner)]
	}
	hold := draw(&k.service, s)
	x.freeAt = begin + transfer + hold
	x.owner = c
	// Waiting is stalled time: a busy sibling does not lengthen it.
	e.addWall(c, LineWait, begin-e.now)
	e.addWall(c, LineTransfer, transfer)
	e.add(c, Work, hold)
	e.proceed(c, t)
}

// addWall plans ns that pass at one speed, whatever the core's.
func (e *engine) addWall(c int32, cat Category, ns int64) {
	if stretch := int64(e.stretchOf[e.busy[e.cpus[c].core]]); stretch != 1024 {
		ns = ns * 1024 / stretch
	}
	e.add(c, cat, ns)
}
