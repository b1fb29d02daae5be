package oracle;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The random life of one log: a few dozen steps, chosen by its family and by where the log stands. */
final class Schedule {
    private final Family family;
    private final Dice dice;
    private final Opening opening;
    private final Stage stage;
    private final Batches batches;
    private final Rolls rolls;
    private final Edges edges;
    private final boolean emptyPolicyAllowed;

    Schedule(Kafka kafka, Family family, Dice dice, Opening opening, Stage stage, boolean emptyPolicyAllowed) {
        this.family = family;
        this.dice = dice;
        this.opening = opening;
        this.stage = stage;
        this.emptyPolicyAllowed = emptyPolicyAllowed;
        batches = new Batches(kafka, dice, family, opening);
        rolls = new Rolls(stage, dice, family, opening, batches);
        edges = new Edges(stage, dice, family, opening);
    }

    void run() throws IOException {
        int goal = dice.between(28, 52);
        while (stage.steps() < goal) {
            passTime();
            switch (dice.weighted(family.moves)) {
                case 0 -> appends();
                case 1 -> passes();
                case 2 -> highWatermark();
                case 3 -> deleteRecords();
                case 4 -> settings();
                default -> reload();
            }
        }
    }

    private void passTime() {
        if (dice.chance(0.4)) {
            return;
        }
        long most = opening.tick() * (dice.chance(0.05) ? 40 : 2);
        stage.moveTo(stage.now() + dice.between(1, most));
    }

    private void appends() throws IOException {
        for (int left = dice.between(1, 3); left > 0; left--) {
            if (dice.chance(family.rolls)) {
                rolls.append(highWatermarkThen());
            } else {
                stage.append(batches.any(stage), highWatermarkThen());
            }
        }
    }

    /** Mostly the high watermark keeps up; family hw leaves it behind half of the time. */
    private Stage.HighWatermark highWatermarkThen() {
        double keepsUp = family == Family.HW ? 0.45 : family == Family.MIXED ? 0.7 : 0.93;
        if (!dice.chance(keepsUp)) {
            return null;
        }
        if (dice.chance(0.9)) {
            return (before, appended) -> appended.end();
        }
        return (before, appended) -> dice.between(Math.max(appended.start(), Math.min(before.end(), appended.end())), appended.end());
    }

    private void passes() throws IOException {
        edges.prepare();
        if (dice.chance(0.3)) {
            edges.prepare();
        }
        pass();
        if (dice.chance(0.25)) {
            // The same pass again, or the first one 1 ms later.
            stage.moveTo(stage.now() + dice.between(0, 1));
            pass();
        }
    }

    private void pass() throws IOException {
        if (Unstamped.reachable(stage.state(), stage.settings(), stage.now())) {
            stage.configure(Settings.RETENTION_MS, -1L);
        }
        stage.pass();
    }

    private void highWatermark() throws IOException {
        State state = stage.state();
        long offset = dice.chance(0.4) ? state.end() : dice.between(state.start(), state.end());
        stage.highWatermark(offset);
    }

    private void deleteRecords() throws IOException {
        if (stage.settings().cleanupPolicy().equals("compact")) {
            return;
        }
        State state = stage.state();
        long below = Math.max(0, state.start() - dice.between(0, 5));
        stage.deleteRecords(dice.chance(0.2) ? below : dice.between(state.start(), state.highWatermark()));
    }

    private void settings() throws IOException {
        Map<String, Object> changes = new LinkedHashMap<>();
        for (int left = dice.chance(0.12) ? 2 : 1; left > 0; left--) {
            change(changes);
        }
        stage.configure(changes);
    }

    private void change(Map<String, Object> changes) {
        long tick = opening.tick();
        int segmentBytes = (int) dice.pick(200, 300, 500, 700, 1000, 1500, 2500, 4096);
        switch (dice.weighted(3, 3, 2, 2, family.changesPolicy() ? 5 : 0, family.changesIndexes() ? 4 : 0)) {
            case 0 -> changes.put(Settings.RETENTION_MS, Opening.retentionMs(family, dice, tick));
            case 1 -> changes.put(Settings.RETENTION_BYTES, Opening.retentionBytes(family, dice, stage.settings().segmentBytes()));
            case 2 -> changes.put(Settings.SEGMENT_BYTES, segmentBytes);
            case 3 -> changes.put(Settings.SEGMENT_MS, Opening.segmentMs(family, dice, tick));
            case 4 -> changes.put(Settings.CLEANUP_POLICY, Opening.policy(family, dice, emptyPolicyAllowed));
            default -> changesIndex(changes);
        }
    }

    private void changesIndex(Map<String, Object> changes) {
        if (dice.chance(0.5)) {
            changes.put(Settings.SEGMENT_INDEX_BYTES, dice.chance(0.8) ? Opening.smallIndex(dice) : 4096);
        } else {
            changes.put(Settings.INDEX_INTERVAL_BYTES, (int) dice.pick(0, 1, 50, 100, 200, 512, 4096));
        }
    }

    /** Often followed at once by what a reload can change: a pass, or an append that may now roll or not. */
    private void reload() throws IOException {
        if (family.changesIndexes() && dice.chance(0.3)) {
            reloadWithOtherIndexes();
            return;
        }
        stage.reload();
        switch (dice.weighted(2, 1, 2)) {
            case 0 -> appends();
            case 1 -> passes();
            default -> { }
        }
    }

    /** Both sizes change, so that the open segment's files fill sooner or later than before. */
    private void reloadWithOtherIndexes() throws IOException {
        Map<String, Object> changes = new LinkedHashMap<>();
        changes.put(Settings.SEGMENT_BYTES, 16384);
        changes.put(Settings.INDEX_INTERVAL_BYTES, (int) dice.pick(0, 100, 4096));
        changes.put(Settings.SEGMENT_INDEX_BYTES, (int) dice.pick(24, 36, 48));
        stage.configure(changes);
        stage.reload();
        appends();
        appends();
    }
}
