package oracle;

/**
 * Whether the time rule could meet a segment without stamps. The log then goes by the file's own time, which no vector
 * can name, so a schedule switches the rule off before such a pass.
 */
final class Unstamped {
    private Unstamped() {}

    static boolean reachable(State state, Settings settings, long now) {
        if (!settings.timeRule()) {
            return false;
        }
        for (int i = 0; i < state.segments().size(); i++) {
            State.Segment s = state.segments().get(i);
            if (s.stamp() < 0) {
                return !(state.isActive(i) && s.bytes() == 0);
            }
            if (blocks(state, settings, now, i)) {
                return false;
            }
        }
        return false;
    }

    /** A segment too young for the time rule and out of reach of the two rules before it ends every walk. */
    private static boolean blocks(State state, Settings settings, long now, int i) {
        boolean young = now - state.segments().get(i).stamp() <= settings.retentionMs();
        boolean bySize = settings.sizeRule() && state.bytesAfter(i) >= settings.retentionBytes();
        boolean byStart = !state.isActive(i) && state.upper(i) <= state.start();
        return young && !bySize && !byStart;
    }
}
