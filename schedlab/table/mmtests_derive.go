package table

import "math"

// finish settles the direction of every operator from the figures, works the
// percentages out again and reports printed ones that cannot be right.
func (mmtests) finish(t *Table, warn func(Row, string, ...any)) {
	votes := map[string]*ballot{}
	for _, r := range t.Rows {
		b := votes[r.Op]
		if b == nil {
			b = &ballot{}
			votes[r.Op] = b
		}
		b.add(r)
	}
	told := map[string]bool{}
	for i := range t.Rows {
		r := &t.Rows[i]
		usual, known := operator(r.Op)
		r.Better, r.From = votes[r.Op].decide(usual)
		if !told[r.Op] {
			told[r.Op] = true
			switch {
			case !known:
				warn(*r, "operator %q is not one of mmtests: %s is better, from the figures", r.Op, r.Better)
			case usual != UnknownBetter && r.Better != usual:
				warn(*r, "the percentages of %q say that %s is better, mmtests uses it where %s is", r.Op, r.Better, usual)
			}
		}
		rederive(r, t.Columns, warn)
	}
}

// ballot counts the cells that only one direction can explain.
type ballot struct{ higher, lower int }

func (b *ballot) add(r Row) {
	for _, c := range r.Cells[1:] {
		if !checkable(r.Cells[0], c) {
			continue
		}
		h, l := explains(r.Cells[0], c, HigherBetter), explains(r.Cells[0], c, LowerBetter)
		if h && !l {
			b.higher++
		}
		if l && !h {
			b.lower++
		}
	}
}

func (b *ballot) decide(usual Direction) (Direction, Evidence) {
	switch {
	case b.higher > b.lower:
		return HigherBetter, FromFigures
	case b.lower > b.higher:
		return LowerBetter, FromFigures
	case usual != UnknownBetter:
		return usual, FromOperator
	}
	return UnknownBetter, ""
}

// checkable reports whether the printed change of c is one against base.
func checkable(base, c Cell) bool {
	printed := base.Change == 0 || math.IsNaN(base.Change)
	return printed && !math.IsNaN(base.Value+c.Value+c.Change)
}

func rederive(r *Row, columns []string, warn func(Row, string, ...any)) {
	base := r.Cells[0]
	if r.Better == UnknownBetter || base.Change != 0 && !math.IsNaN(base.Change) {
		return
	}
	for i := range r.Cells[1:] {
		c := &r.Cells[i+1]
		c.Derived = ChangePct(base.Value, c.Value, r.Better)
		if checkable(base, *c) && !explains(base, *c, r.Better) {
			warn(*r, "column %q: %.2f %% is printed, %.2f %% follows from %.*f and %.*f",
				columns[i+1], c.Change, c.Derived, base.Decimals, base.Value, c.Decimals, c.Value)
		}
	}
}
