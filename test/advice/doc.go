// Package advice proves on real brokers what check, whatif and plan say: a change that was tried
// is then really made and what goes is compared with what was said; each finding is provoked,
// cured by the command line that it names, and gone; and logs settle where plan says.
package advice
