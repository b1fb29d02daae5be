package model

// Maybe is a value that may be unknown: value-and-ok in one field. Its zero value is unknown.
type Maybe[T any] struct {
	value T
	ok    bool
}

// Known makes a known value.
func Known[T any](v T) Maybe[T] { return Maybe[T]{v, true} }

// Get returns the value; ok is false where it is unknown.
func (m Maybe[T]) Get() (v T, ok bool) { return m.value, m.ok }

// IsKnown reports whether there is a value.
func (m Maybe[T]) IsKnown() bool { return m.ok }
