// Package nearest finds the names closest to a mistyped one, for error texts.
//
// It stands outside the pipeline: every package that resolves a name given by a
// person may import it, and it imports none of them.
//
// The answer MUST depend on the words alone: equal distances are ordered by the
// place in the list that was handed in.
package nearest
