package stage

// Behind writes the files of a frame while the next is worked out. The zero value
// has nothing to write.
type Behind struct {
	done  chan error
	after func(error) error
}

// Go starts write, and returns at once. Wait passes the result of write to after.
func (b *Behind) Go(write func() error, after func(error) error) {
	done := make(chan error, 1)
	go func() { done <- write() }()
	b.done, b.after = done, after
}

// Wait returns the result of after of the last write, once that has ended, or nil without
// a write.
func (b *Behind) Wait() error {
	if b.done == nil {
		return nil
	}
	done := b.done
	b.done = nil
	return b.after(<-done)
}
