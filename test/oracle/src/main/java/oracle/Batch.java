package oracle;

/**
 * A record batch before it is appended.
 *
 * @param follower appended with the offsets it carries, as fetched from a leader
 * @param maxStamp its largest stamp in ms, -1 when it carries none; a leader's clock may still replace it
 */
record Batch(Object records, int bytes, boolean follower, long maxStamp) {}
