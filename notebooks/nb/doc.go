// Package nb shows tables, figures and text in a GoNB notebook. It is the end of the pipeline, and the only package that
// speaks to the notebook:
//
//	... < metrics < experiment < report < notebooks/nb
//
// A cell shows everything through this package:
//
//	import "github.com/schedlab/lab/notebooks/nb"
//
//	%%
//	nb.Table(table)
//	nb.Figure(figure, "Change of throughput over load; positive is better.")
//
// Everything goes through one pipe, and each call returns when the notebook has taken the output: a cell that also wrote to
// stdout could see its outputs lost or reordered, so this package MUST NOT write to stdout inside a notebook, and cells do not.
//
// A program run outside a notebook (go run, go test) prints the same things as text to stdout; a figure is named by its caption.
//
// Errors: a cell has nobody to return an error to. What cannot be shown panics with one line of text, so that the cell fails
// visibly; Must and Must1 do the same for errors of other packages.
package nb
