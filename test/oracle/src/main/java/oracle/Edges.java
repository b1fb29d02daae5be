package oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Brings a log to the turning point of one rule, so that the next pass stands on one side of it by one unit. */
final class Edges {
    private final Stage stage;
    private final Dice dice;
    private final Family family;
    private final Opening opening;

    Edges(Stage stage, Dice dice, Family family, Opening opening) {
        this.stage = stage;
        this.dice = dice;
        this.family = family;
        this.opening = opening;
    }

    void prepare() throws IOException {
        switch (dice.weighted(family.edges)) {
            case 0 -> clock();
            case 1 -> age();
            case 2 -> cap();
            case 3 -> highWatermark();
            case 4 -> start();
            default -> { }
        }
    }

    /** Waits until a segment is as old as retention.ms allows, or 1 ms more. */
    private void clock() {
        State.Segment s = stamped();
        long limit = stage.settings().retentionMs();
        if (s == null || limit < 0 || limit > Long.MAX_VALUE - s.stamp() - 2) {
            return;
        }
        long instant = s.stamp() + limit + (dice.chance(0.85) ? dice.between(0, 1) : dice.pick(-1, 2));
        if (instant >= stage.now() && instant - stage.now() <= opening.tick() * 100) {
            stage.moveTo(instant);
        }
    }

    /** Sets retention.ms to a segment's age, or 1 ms less. */
    private void age() throws IOException {
        State.Segment s = stamped();
        if (s == null) {
            return;
        }
        long age = stage.now() - s.stamp() - (dice.chance(0.85) ? dice.between(0, 1) : dice.pick(-1, 2));
        if (age >= 0) {
            stage.configure(Settings.RETENTION_MS, age);
        }
    }

    /** Sets retention.bytes to the bytes behind a segment, one more or one less. */
    private void cap() throws IOException {
        State state = stage.state();
        long behind = state.bytesAfter(dice.between(-1, state.segments().size() - 1));
        stage.configure(Settings.RETENTION_BYTES, Math.max(0, behind + dice.between(-1, 1)));
    }

    /** Sets the high watermark to the first offset behind a segment, or one less. */
    private void highWatermark() throws IOException {
        State state = stage.state();
        long offset = state.upper(segment(state)) - dice.between(0, 1);
        stage.highWatermark(Math.min(Math.max(offset, state.start()), state.end()));
    }

    /** Raises the log start to the base of a segment, one more or one less; compact-only refuses it, as the broker does. */
    private void start() throws IOException {
        State state = stage.state();
        if (stage.settings().cleanupPolicy().equals("compact")) {
            return;
        }
        long offset = state.upper(segment(state)) + dice.between(-1, 1);
        stage.deleteRecords(Math.min(Math.max(offset, 0), state.highWatermark()));
    }

    private int segment(State state) {
        return dice.between(0, state.segments().size() - 1);
    }

    private State.Segment stamped() {
        List<State.Segment> stamped = new ArrayList<>();
        for (State.Segment s : stage.state().segments()) {
            if (s.stamp() >= 0) {
                stamped.add(s);
            }
        }
        return stamped.isEmpty() ? null : stamped.get(dice.between(0, stamped.size() - 1));
    }
}
