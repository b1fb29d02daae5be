package exporter

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// labelValue makes a name fit to be a label value. Group names may hold any bytes, label values
// only UTF-8. Bytes that are not become U+FFFD, and a digest of the whole name is added, so
// that two names that differ only there stay two. A name that really holds U+FFFD gets the
// digest as well: otherwise it could be chosen to look like another one's replacement.
func labelValue(name string) string {
	if utf8.ValidString(name) && !strings.ContainsRune(name, utf8.RuneError) {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return strings.ToValidUTF8(name, string(utf8.RuneError)) + "#" + hex.EncodeToString(sum[:8])
}
