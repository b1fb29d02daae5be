package oracle;

/** Makes the batches of one log: how many records, how large, at which offsets, with which stamps. */
final class Batches {
    private static final long YEAR = 31_536_000_000L;
    /** A batch of one record with an empty value takes less than this, whatever its stamp. */
    private static final int SMALLEST = 80;

    private final Kafka kafka;
    private final Dice dice;
    private final Family family;
    private final Opening opening;

    Batches(Kafka kafka, Dice dice, Family family, Opening opening) {
        this.kafka = kafka;
        this.dice = dice;
        this.family = family;
        this.opening = opening;
    }

    /** Any batch that fits a segment. */
    Batch any(Stage stage) {
        return withStamp(stage, stamp(stage));
    }

    /** A batch whose largest stamp is given. */
    Batch withStamp(Stage stage, long maxStamp) {
        long base = 0;
        if (opening.follower()) {
            base = stage.state().end() + gap();
        }
        return build(stage, base, maxStamp, records());
    }

    /** A follower's batch that ends at the given offset, or before the log end ends just behind it. */
    Batch endingAt(Stage stage, long last) {
        int count = records();
        long base = Math.max(stage.state().end(), last - dice.between(count - 1, count + 3));
        return build(stage, base, stamp(stage), (int) Math.max(1, Math.min(count, last - base + 1)), last);
    }

    private Batch build(Stage stage, long base, long maxStamp, int count) {
        // A batch that compaction has thinned out spans more offsets than it has records.
        boolean holes = opening.follower() && count > 1 && dice.chance(0.2);
        return build(stage, base, maxStamp, count, base + count - 1 + (holes ? dice.between(1, 40) : 0));
    }

    private Batch build(Stage stage, long base, long maxStamp, int count, long last) {
        int limit = stage.settings().segmentBytes();
        long[] offsets = new long[count];
        long[] stamps = new long[count];
        int[] sizes = new int[count];
        int highest = dice.between(0, count - 1);
        int budget = Math.min(dice.chance(0.1) ? limit : Math.min(limit / 2, 600), 3500);
        for (int i = 0; i < count; i++) {
            offsets[i] = base + i;
            stamps[i] = maxStamp < 0 || i == highest ? maxStamp : Math.max(0, maxStamp - dice.between(0, opening.tick() * 2));
            sizes[i] = dice.between(0, Math.max(0, (budget - SMALLEST) / count));
        }
        if (count > 1) {
            offsets[count - 1] = last;
        } else {
            offsets[0] = last;
        }
        Object records = kafka.batch(offsets, stamps, sizes);
        int bytes = kafka.bytes(records);
        if (bytes > limit) {
            return smallest(opening.follower() ? last : base, maxStamp);
        }
        return new Batch(records, bytes, opening.follower(), maxStamp);
    }

    private Batch smallest(long offset, long stamp) {
        Object records = kafka.batch(new long[] {offset}, new long[] {stamp}, new int[] {0});
        return new Batch(records, kafka.bytes(records), opening.follower(), stamp);
    }

    private int records() {
        return dice.chance(0.5) ? 1 : dice.between(2, dice.chance(0.8) ? 7 : 25);
    }

    private long gap() {
        if (dice.chance(0.8)) {
            return 0;
        }
        return dice.chance(0.9) ? dice.between(1, 60) : dice.pick(1L << 31, (1L << 31) - 1, 1L << 32, 3L << 32);
    }

    private long stamp(Stage stage) {
        long now = stage.now();
        long tick = opening.tick();
        if (opening.unstamped() && dice.chance(0.6)) {
            return -1;
        }
        if (opening.flat()) {
            return opening.now();
        }
        return family == Family.DISORDER || family == Family.MIXED && dice.chance(0.3)
                ? disordered(stage, now, tick) : ordinary(now, tick);
    }

    private long ordinary(long now, long tick) {
        return switch (dice.weighted(70, 20, 6, 4)) {
            case 0 -> now;
            case 1 -> Math.max(0, now - dice.between(0, tick * 4));
            case 2 -> now + dice.between(1, tick * 4);
            default -> dice.between(0, 1000);
        };
    }

    private long disordered(Stage stage, long now, long tick) {
        long span = Math.min(Math.max(stage.settings().retentionMs(), tick), tick * 40);
        return switch (dice.weighted(25, 35, 25, 5, 5, 5)) {
            case 0 -> now;
            case 1 -> Math.max(0, now - dice.between(0, span * 2));
            case 2 -> now + dice.between(1, span * 2);
            case 3 -> now + YEAR * dice.between(1, 200);
            case 4 -> dice.between(0, 2);
            default -> Math.max(0, now - span + dice.between(-1, 1));
        };
    }
}
