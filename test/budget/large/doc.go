// Package large counts requests as package budget does, at the size the budget is told for. It is run
// without -race, which makes a quarter of a minute of a processor a minute and a half: what goes on at the same
// time is raced at smaller sizes by package budget.
package large
