// Package security runs the program against real brokers that ask for a login and grant rights: each
// way to log in works, and each right that is missing costs what docs/rights.md says and no more.
package security
