// Package datasets holds what was published in five mailing-list threads about
// wakeup placement, as tidy tables with their provenance.
//
// It stands beside the pipeline and imports none of it; experiment compares
// these figures with simulated ones.
//
//	post ── <mail>/raw/*.txt ── <mail>/*.csv ── Comparisons, TasksetRates, ...
//	        figures as posted    tidy, tested
//	        (no prose, no diff)  against raw
//
// Invariants:
//   - A figure MUST stand as posted. One that contradicts the figures beside it
//     stays and a test flags it.
//   - A change MUST be positive where the patched kernel is better, whether the
//     metric rises or falls. A figure that was not reported MUST be NaN, and a
//     load that was not stated 0.
//   - A baseline that a table prints as 1.00 only is not a measured figure: it
//     MUST be NaN.
//   - The files MUST match SHA256SUMS, and the CSV files MUST be what the code
//     in tidy_test.go makes of raw/ (go test ./datasets -update writes both).
package datasets
