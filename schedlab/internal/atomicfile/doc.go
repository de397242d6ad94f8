// Package atomicfile writes files that are either whole or not there.
//
// Caches, figures, pages and notebooks are written by processes that may be
// interrupted, and read by others at the same time. Each file goes to a
// temporary name in its own folder first and takes its place in one step:
//
//	write .name.tmp-123 -> sync -> close -> rename to name
//
// Invariants:
//   - a reader MUST see the old content or the new one, never a part;
//   - after an error or a panic the target MUST be what it was before and no
//     temporary file is left.
package atomicfile
