package atomicfile

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write creates or replaces the file path with what write puts into w.
//
// The folder of path must exist. The file gets exactly the permission bits
// perm (the umask is not applied; Windows knows only the write bit). Data is
// flushed to the disk before the rename. If path is a symbolic link, the link
// is replaced, not its target. Of several writers of one path the last to
// finish wins. The error of write is returned wrapped.
func Write(path string, perm os.FileMode, write func(w io.Writer) error) error {
	if err := replace(path, perm, write); err != nil {
		return fmt.Errorf("atomicfile: writing %q: %w", path, err)
	}
	return nil
}

func replace(path string, perm os.FileMode, write func(w io.Writer) error) error {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, "."+base+".tmp-*")
	if err != nil {
		return err
	}
	done := false
	defer func() { // also on a panic of write
		if !done {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := fill(f, perm, write); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	done = true
	syncDir(dir)
	return nil
}

// fill writes, flushes, sets the permission, syncs and closes f.
func fill(f *os.File, perm os.FileMode, write func(w io.Writer) error) error {
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Chmod(perm); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// syncDir makes the rename itself durable where the system can do that. A
// failure is ignored: the content is safe and some systems cannot sync folders.
func syncDir(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	d.Sync()
	d.Close()
}
