// Package table reads and writes the benchmark tables people post to mailing
// lists.
//
// It stands beside the pipeline and imports none of it: text goes in, tables
// come out, and the writers turn a table back into the text a mail carries.
//
//	mail text ── lines ───────── dialects ────────── Table ──── WriteSchedtests
//	             =3D, "> ",      schedtests,         columns,   WriteMmtests
//	             soft breaks     mmtests, its        rows,
//	                             CPU time block      cells
//
// A row is found by its shape anywhere in a line, never by its place in it.
// So one reader serves a table as printed, one quoted with "> ", one in
// quoted-printable transfer encoding, and one whose line breaks were lost.
//
// Invariants:
//   - A Change MUST be positive where the patched kernel is better, in every
//     dialect; both dialects print it that way.
//   - A figure that is not printed MUST be NaN, never 0.
//   - A row that is damaged MUST give a Warning with file, line and column and
//     MUST NOT give cells. A figure that disagrees with the figures beside it
//     MUST stay as printed and MUST give a Warning.
//   - Memory MUST be bounded by one line of MaxLine bytes and one table of
//     MaxRows rows, whatever the input.
//
// A new dialect is one file with one value in the list of dialects.
package table
