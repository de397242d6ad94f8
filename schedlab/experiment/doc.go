// Package experiment holds what was published against what is simulated.
//
// It stands seventh in the pipeline (... schedlab < metrics < experiment <
// report) and is the only package that brings the datasets and the engine
// together:
//
//	datasets.Comparison --Plan--> Specs of both arms, per seed --Sweep--> Results --> Row with verdict
//
// Invariants:
//   - Both arms of a row MUST run on the same seeds; the seeds are 1..n, fixed
//     beforehand.
//   - Every published comparison MUST keep its row; one that is not simulated
//     says why.
//   - No published figure MUST reach a Spec. The scrambling test replaces them
//     all by noise and compares the simulated columns byte for byte.
package experiment
