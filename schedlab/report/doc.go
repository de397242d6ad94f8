// Package report shows results: tables, figures and pages.
//
// Position in the pipeline: after experiment, before the notebooks and the
// command. It computes nothing but layout; what it is handed, it shows.
//
//	typed slices --NewTable--> Table --WriteText, WriteMarkdown, WriteHTML, WriteCSV, Frame
//	typed slices --LinesFigure, BarsFigure, ...--> Figure --WritePNG, WriteSVG, WritePDF, Data
//	tables, figures, text --Page--> one self-contained HTML file
//
// Tables and figures come in twins: a function FooFrame gives the table and
// FooPlot draws exactly that table. Figure.Data is the same idea for plain data.
//
//	         title
//	legend  --o-- base  ..x.. patch       <- above the data, never over it
//	change |
//	  (%)  |      o
//	       |  x       x
//	        -----------------
//	         60  120  180                 <- loads are names, not numbers
//	          threads
//
// Invariants:
//   - All output MUST be a function of the input: no clock, no map order. (PDF is
//     the exception: the format carries the time of writing.)
//   - A figure MUST be readable in black and white: series differ in marker and
//     dash, bars in hatching, not in colour alone.
//   - NaN means "not there": "-" in text, an empty CSV cell, a gap in a line. It
//     is never drawn as 0.
//   - Control characters in strings MUST NOT reach a terminal.
//   - Bad data gives an error from the constructor, never a panic when drawing.
package report
