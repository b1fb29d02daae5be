// Package command answers the questions of the subcommands check, whatif and plan once: from the
// cluster itself (Look) or from a running exporter (Ask). It knows no flags and prints nothing.
//
// Look polls the cluster a few times, a second apart, as a running exporter does: three times at
// least, since rates show only between looks, and up to six while the pace of some group is not
// known yet. What takes longer to learn (when within its interval a broker runs its passes, the
// rhythm of a slow group, the largest lag of the last days) only a running exporter knows: Ask it.
package command
