// Package mistakes plants mistakes in the rules of package model and tells which of them the
// committed sample of vectors notices. A sample that lets one pass proves less than it seems to.
//
// A mistake is a text that stands once in one file of the model, and a wrong text in its place.
// The compiler is given the changed file as an overlay, so the tree is never touched.
package mistakes
