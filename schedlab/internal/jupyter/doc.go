// Package jupyter executes GoNB notebooks without a browser and without Jupyter: it starts the real kernel, speaks the Jupyter
// message protocol with it over ZeroMQ, and writes the outputs back into the notebook, byte for byte the same each time.
//
// It stands beside the simulator's pipeline and imports none of it:
//
//	notebook.ipynb --Load--> Notebook --Execute--> Notebook --Check--> problems
//	                                      |   ^                 \--Save--> notebook.ipynb
//	                    execute_request   |   |  stream, display_data, error (iopub)
//	                    (shell, control)  v   |  execute_reply (shell)
//	                                   gonb --kernel (own process group, own TMPDIR)
//	                                      |
//	                                   bash, go build, the cell's program
//
// Invariants
//
//   - Execute MUST leave nothing behind, however it ends: no process of the kernel's group, no temporary folder.
//   - A cell that writes to stderr, panics, does not compile or whose "!" line fails MUST fail the run; GoNB answers "ok" to a
//     failed "!" line, so the stderr stream is what decides.
//   - Execute MUST NOT change the Notebook it is given, and gives none back on failure: nothing half executed can be saved.
//   - A saved notebook MUST NOT depend on when, where or by whom it was executed: no timestamps, no paths, no Go version.
//
// The kernel is built from the versions pinned in go.mod (BuildKernel). It does not run on Windows; everything else here does.
package jupyter
