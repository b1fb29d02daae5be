package oracle;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Appends that stand exactly at a roll: one byte or millisecond or offset on either side of it. */
final class Rolls {
    private final Stage stage;
    private final Dice dice;
    private final Family family;
    private final Opening opening;
    private final Batches batches;

    Rolls(Stage stage, Dice dice, Family family, Opening opening, Batches batches) {
        this.stage = stage;
        this.dice = dice;
        this.family = family;
        this.opening = opening;
        this.batches = batches;
    }

    void append(Stage.HighWatermark then) throws IOException {
        switch (dice.weighted(5, 5, opening.follower() ? 4 : 0, family.changesIndexes() ? 3 : 0)) {
            case 0 -> bySize(then);
            case 1 -> byTime(then);
            case 2 -> byOffset(then);
            default -> byIndex(then);
        }
    }

    /** Sets segment.bytes around the active segment's size plus the batch, and mostly back again. */
    private void bySize(Stage.HighWatermark then) throws IOException {
        Batch batch = batches.any(stage);
        int before = stage.settings().segmentBytes();
        long edge = stage.state().active().bytes() + batch.bytes() + dice.between(-1, 1);
        stage.configure(Settings.SEGMENT_BYTES, (int) Math.max(edge, batch.bytes()));
        stage.append(batch, then);
        if (dice.chance(0.8)) {
            stage.configure(Settings.SEGMENT_BYTES, before);
        }
    }

    private void byTime(Stage.HighWatermark then) throws IOException {
        boolean byClock = stage.firstStamp() < 0 || stage.settings().logAppendTime() && !opening.follower();
        if (byClock) {
            waitForRoll();
            stage.append(batches.any(stage), then);
            return;
        }
        long stamp = stage.firstStamp() + stage.settings().segmentMs() + dice.between(0, 1);
        boolean far = stamp < 0 || stamp > stage.now() + opening.tick() * 100;
        if (far) {
            stamp = Math.max(stage.now(), stage.firstStamp() + 2);
            stage.configure(Settings.SEGMENT_MS, stamp - stage.firstStamp() - dice.between(0, 1));
        }
        stage.append(batches.withStamp(stage, stamp), then);
    }

    /** Moves the clock, or segment.ms where that is too far, to the roll of a segment that goes by the broker's clock. */
    private void waitForRoll() throws IOException {
        long from = stage.firstStamp() >= 0 ? stage.firstStamp() : stage.created();
        long edge = from + stage.settings().segmentMs() + dice.between(0, 1);
        if (edge >= stage.now() && edge <= stage.now() + opening.tick() * 100) {
            stage.moveTo(edge);
            return;
        }
        long waited = stage.now() - from - dice.between(0, 1);
        if (waited >= 1) {
            stage.configure(Settings.SEGMENT_MS, waited);
        }
    }

    /**
     * Begins a segment whose second batch gets an index entry or is one byte short of it, with index files that few
     * entries fill, and lets more batches follow.
     */
    private void byIndex(Stage.HighWatermark then) throws IOException {
        Settings before = stage.settings();
        Batch first = batches.any(stage);
        Map<String, Object> tight = new LinkedHashMap<>();
        tight.put(Settings.SEGMENT_BYTES, first.bytes());
        tight.put(Settings.INDEX_INTERVAL_BYTES, first.bytes() - dice.between(0, 1));
        tight.put(Settings.SEGMENT_INDEX_BYTES, (int) dice.pick(24, 36));
        stage.configure(tight);
        stage.append(first, then);
        Map<String, Object> roomy = new LinkedHashMap<>();
        roomy.put(Settings.SEGMENT_BYTES, 16384);
        roomy.put(Settings.INDEX_INTERVAL_BYTES, before.indexIntervalBytes());
        roomy.put(Settings.SEGMENT_INDEX_BYTES, before.segmentIndexBytes());
        stage.configure(roomy);
        for (int left = dice.between(2, 3); left > 0; left--) {
            stage.append(batches.any(stage), then);
        }
        stage.configure(Settings.SEGMENT_BYTES, before.segmentBytes());
    }

    private void byOffset(Stage.HighWatermark then) throws IOException {
        long last = stage.state().active().base() + Integer.MAX_VALUE + dice.between(0, 1);
        if (last < stage.state().end()) {
            stage.append(batches.any(stage), then);
            return;
        }
        stage.append(batches.endingAt(stage, last), then);
    }
}
