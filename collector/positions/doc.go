// Package positions reads positions that no consumer group shows: stream jobs, mirror tools and
// loaders keep theirs in checkpoints or tables of their own. Whoever runs one lets it write, or
// serve, a document like
//
//	{
//	  "at": "2026-11-30T14:00:00Z",
//	  "positions": [
//	    {"topic": "orders", "partition": 0, "offset": 1042},
//	    {"topic": "orders", "partition": 1, "offset": 977}
//	  ]
//	}
//
// An offset is the next one to be read, as in a consumer group. "at" says when all of it was true;
// without it, that is when the file was last written, or when the URL was asked. Further fields
// are ignored. A document that is cut off, names a partition twice or is not of this form is not
// believed at all.
//
// Source connectors of Kafka Connect that read topics, MirrorMaker 2 above all, keep theirs in a topic of
// Connect's (type Connect), whose newest record of the connector says when all of it was true.
//
// A Reader asks one Source. How old a document may be is the source's MaxAge; to judge by it is the
// collector's.
package positions
