// Package metrics is the arithmetic of a comparison: means and spreads as the
// published tables define them, percentage change, noise, verdict and score.
//
// Position in the pipeline: after a simulation has given one figure per seed
// and arm, before anything is drawn. Pure functions on slices; no other package
// of this module is needed.
//
//	runs of a benchmark --Hmean, Amean, Stddev--> one figure per arm
//	one figure per seed --PairedChange----------> change, 95 % interval
//	published row       --PublishedNoise--------> noise in points of base
//	published, noise, simulated, interval --Judge--> verdict --ScoreRows--> score
//
// Rules that hold everywhere:
//   - A change is in percent of the base and positive MUST mean better, whatever
//     the direction of the metric.
//   - The caller's slices MUST NOT be changed, not even sorted.
//   - A NaN among the values of a mean or spread MUST make the result NaN: a
//     figure that could not be measured is never averaged away. Functions that
//     skip NaN say so. An empty slice gives NaN.
//   - Warnings are data: an Estimate carries them and they MUST reach the reader.
//   - No p-values: seeds are free, so anything can be made significant. Effect
//     and interval are reported, over seeds fixed beforehand.
//
// Which deviation is meant by "spread" differs between harnesses:
//
//	Stddev, CoeffVar    sample (n-1)     mmtests
//	HarmonicStddev      population (n)   mmtests, beside Hmean
//	SpreadPct           population (n)   schedtests "std%", dispersion between pairs
package metrics
