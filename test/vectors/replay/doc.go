// Package replay reads vector files, each line of which is what Kafka's own UnifiedLog did with
// one log under a mock clock, lets model.Log take the same steps, and compares every state with
// Kafka's: log start, log end, high watermark, and base, bytes and stamp of every segment.
//
// A vector is one JSON object:
//
//	{"name": "time-000001", "kafka": "4.4.0",
//	 "config": {"cleanup_policy": "delete", "retention_ms": 60000, ...},
//	 "steps": [{"op": "append", "now": 1000, "base": 0, "last": 9, "bytes": 812, "max_ts": 990}, ...],
//	 "after": [{"start": 0, "end": 10, "hw": 0, "segments": [[0, 812, 990]]}, ...]}
//
// Times are milliseconds on the mock clock, sizes bytes on disk. The log is made at the first
// step's time. The steps are append, pass (with the number of segments it deleted), hw,
// delete_records, config (settings that change) and reload (a clean stop and start). A segment
// is its base offset, its .log bytes, and its largest record stamp or -1.
//
// test/oracle writes such files.
package replay
