// Package docs writes generated tables into Markdown between markers, and tells where a file
// differs from what would be generated:
//
//	<!-- generated: NAME -->
//	... replaced ...
//	<!-- end of NAME -->
package docs
