package oracle;

import java.util.Locale;

/** A family stresses one part of the rules; its weights say which moves and which edges it prefers. */
enum Family {
    //        append pass hw del cfg reload   clock age cap hw start   rolls
    TIME(new int[] {20, 12, 0, 1, 2, 1}, new int[] {9, 6, 1, 0, 0, 2}, 0.15),
    SIZE(new int[] {20, 12, 0, 1, 2, 1}, new int[] {0, 1, 14, 0, 0, 2}, 0.15),
    BOTH(new int[] {20, 12, 0, 1, 2, 1}, new int[] {4, 4, 6, 1, 0, 1}, 0.15),
    ROLL(new int[] {30, 4, 0, 0, 3, 2}, new int[] {1, 1, 2, 1, 0, 2}, 0.60),
    START(new int[] {20, 10, 1, 8, 2, 1}, new int[] {1, 1, 2, 1, 10, 1}, 0.10),
    HW(new int[] {18, 10, 7, 1, 2, 1}, new int[] {3, 3, 4, 10, 1, 1}, 0.10),
    POLICY(new int[] {18, 10, 0, 3, 6, 1}, new int[] {3, 3, 4, 1, 3, 1}, 0.10),
    DISORDER(new int[] {22, 12, 0, 1, 2, 1}, new int[] {7, 5, 3, 0, 1, 1}, 0.15),
    ZERO(new int[] {20, 12, 3, 1, 5, 1}, new int[] {4, 0, 0, 3, 1, 6}, 0.10),
    RELOAD(new int[] {20, 8, 0, 2, 2, 9}, new int[] {3, 3, 3, 1, 2, 2}, 0.25),
    MIXED(new int[] {20, 10, 3, 3, 4, 2}, new int[] {3, 3, 3, 3, 3, 1}, 0.25);

    /** Weights of append, pass, high watermark, DeleteRecords, settings, reload. */
    final int[] moves;
    /** Weights of the edges prepared before a pass: clock, retention.ms, retention.bytes, high watermark, start, none. */
    final int[] edges;
    /** Share of appends that stand at the edge of a roll. */
    final double rolls;

    Family(int[] moves, int[] edges, double rolls) {
        this.moves = moves;
        this.edges = edges;
        this.rolls = rolls;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Share of the logs written as a follower writes: offsets given by the batch, with gaps, stamps not touched. */
    double followers() {
        return switch (this) {
            case ROLL -> 0.45;
            case MIXED -> 0.30;
            case HW, START, RELOAD -> 0.20;
            default -> 0.05;
        };
    }

    /** Share of the logs whose index files are so small that they fill. */
    double smallIndexes() {
        return switch (this) {
            case ROLL, RELOAD -> 0.5;
            case MIXED -> 0.4;
            default -> 0.03;
        };
    }

    /** Share of the logs that hold batches without stamps; the time rule is off wherever it could meet one. */
    double unstamped() {
        return switch (this) {
            case ROLL, SIZE, START, ZERO, RELOAD, DISORDER, MIXED -> 0.15;
            default -> 0;
        };
    }

    /** Whether the sizes of index files change under a log; what is open keeps the old ones until a reload. */
    boolean changesIndexes() {
        return this == ROLL || this == RELOAD || this == MIXED;
    }

    boolean changesPolicy() {
        return this == POLICY || this == MIXED;
    }
}
