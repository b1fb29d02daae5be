package oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the logs of a run have met, so that a run which misses an edge shows it. */
final class Tally {
    enum Roll { BYTES, TIME, OFFSET_INDEX, TIME_INDEX, RELATIVE_OFFSET, BY_PASS }

    enum Edge { TIME, SIZE, HIGH_WATERMARK, START }

    long logs;
    long steps;
    long passes;
    long edgePasses;
    long deleted;
    final long[] rolls = new long[Roll.values().length];
    final long[] edges = new long[Edge.values().length];

    void add(Tally other) {
        logs += other.logs;
        steps += other.steps;
        passes += other.passes;
        edgePasses += other.edgePasses;
        deleted += other.deleted;
        for (int i = 0; i < rolls.length; i++) {
            rolls[i] += other.rolls[i];
        }
        for (int i = 0; i < edges.length; i++) {
            edges[i] += other.edges[i];
        }
    }

    void roll(Roll cause) {
        rolls[cause.ordinal()]++;
    }

    /** Counts a pass about to run; an edge pass is one in which some rule stands within one unit of its turning point. */
    void pass(State state, Settings settings, long now) {
        boolean[] near = new boolean[edges.length];
        for (int i = 0; i < state.segments().size(); i++) {
            State.Segment s = state.segments().get(i);
            if (settings.timeRule() && s.stamp() >= 0 && within(now - s.stamp() - settings.retentionMs(), 0, 1)) {
                near[Edge.TIME.ordinal()] = true;
            }
            if (settings.sizeRule() && within(state.bytesAfter(i) - settings.retentionBytes(), -1, 1)) {
                near[Edge.SIZE.ordinal()] = true;
            }
            // A high watermark at the log end is the ordinary case, not an edge.
            long ahead = state.highWatermark() - state.upper(i);
            if (ahead == -1 || ahead == 0 && !state.isActive(i)) {
                near[Edge.HIGH_WATERMARK.ordinal()] = true;
            }
            if (!state.isActive(i) && within(state.start() - state.upper(i), -1, 0)) {
                near[Edge.START.ordinal()] = true;
            }
        }
        passes++;
        boolean any = false;
        for (int i = 0; i < near.length; i++) {
            any |= near[i];
            edges[i] += near[i] ? 1 : 0;
        }
        edgePasses += any ? 1 : 0;
    }

    private static boolean within(long value, long low, long high) {
        return value >= low && value <= high;
    }

    String rollsText() {
        List<String> parts = new ArrayList<>();
        for (Roll r : Roll.values()) {
            parts.add(label(r) + " " + rolls[r.ordinal()]);
        }
        return String.join(", ", parts);
    }

    String edgesText() {
        List<String> parts = new ArrayList<>();
        for (Edge e : Edge.values()) {
            parts.add(label(e) + " " + edges[e.ordinal()]);
        }
        return String.join(", ", parts);
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
