// Package report writes the score of a back-test as a Markdown page: words first, then the targets,
// then one table for each question. Every figure is read off a score.Result.
package report
