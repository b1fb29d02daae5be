package oracle;

/**
 * How a log begins: its scale of time, its settings, who writes it and with which stamps.
 *
 * @param flat every batch has the same stamp, so that the offset index fills before the time index
 */
record Opening(long now, long tick, Settings settings, boolean follower, boolean unstamped, boolean flat) {
    private static final long WEEK = 604_800_000L;
    private static final long HOUR = 3_600_000L;

    static Opening of(Family family, Dice dice, boolean emptyPolicyAllowed) {
        // The clock starts either soon after the epoch, so that stamps near 0 matter, or today.
        long now = dice.chance(0.2) ? dice.between(1_000_000L, 2_000_000L)
                : 1_700_000_000_000L + dice.between(0, 40_000_000_000L);
        long tick = dice.pick(2, 20, 1000, 60_000, HOUR, 24 * HOUR);
        boolean unstamped = dice.chance(family.unstamped());
        boolean follower = dice.chance(family.followers());
        int segmentBytes = (int) dice.pick(300, 500, 700, 1000, 1500, 2500, 4096);
        boolean small = dice.chance(family.smallIndexes());
        boolean flat = small && dice.chance(0.35);
        Settings settings = new Settings(
                policy(family, dice, emptyPolicyAllowed),
                unstamped ? -1 : retentionMs(family, dice, tick),
                retentionBytes(family, dice, segmentBytes),
                small && dice.chance(flat ? 1 : 0.5) ? (int) dice.pick(4096, 16384) : segmentBytes,
                segmentMs(family, dice, tick),
                !unstamped && family != Family.DISORDER && dice.chance(0.25) ? "LogAppendTime" : "CreateTime",
                small || dice.chance(0.2) ? (int) dice.pick(0, 1, 50, 100, 200, flat ? 0 : 512) : 4096,
                flat ? (int) dice.pick(36, 48) : small ? smallIndex(dice) : dice.chance(0.1) ? 10_485_760 : 4096);
        return new Opening(now, tick, settings, follower, unstamped, flat);
    }

    /** From 12 bytes, one time entry and so always full, to a handful; below 12 the log cannot close a segment. */
    static int smallIndex(Dice dice) {
        return dice.chance(0.3) ? dice.between(12, 40) : (int) dice.pick(24, 36, 48, 60, 100);
    }

    static String policy(Family family, Dice dice, boolean emptyPolicyAllowed) {
        if (family.changesPolicy()) {
            return switch (dice.weighted(4, 3, 3, emptyPolicyAllowed ? 2 : 0)) {
                case 0 -> "delete";
                case 1 -> "compact,delete";
                case 2 -> "compact";
                default -> "";
            };
        }
        return dice.chance(0.9) ? "delete" : "compact,delete";
    }

    static long retentionMs(Family family, Dice dice, long tick) {
        boolean on = switch (family) {
            case SIZE -> dice.chance(0.1);
            case ROLL, START, HW -> dice.chance(0.5);
            default -> dice.chance(0.95);
        };
        if (!on) {
            return -1;
        }
        if (family == Family.ZERO) {
            return dice.pick(0, 0, 0, -1, 1, 2);
        }
        return switch (dice.weighted(10, 10, 1, 1)) {
            case 0 -> tick * dice.between(1, 30);
            case 1 -> dice.between(1, tick * 30);
            case 2 -> 0;
            default -> dice.pick(Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 62, 1L << 53);
        };
    }

    static long retentionBytes(Family family, Dice dice, int segmentBytes) {
        boolean on = switch (family) {
            case TIME, DISORDER -> dice.chance(0.1);
            case ROLL, START, RELOAD -> dice.chance(0.4);
            default -> dice.chance(0.9);
        };
        if (!on) {
            return dice.chance(0.8) ? -1 : dice.pick(-2, -7, Long.MIN_VALUE);
        }
        if (family == Family.ZERO) {
            return dice.pick(0, 0, 0, 1, 2, -1, -7);
        }
        return switch (dice.weighted(20, 1, 1)) {
            case 0 -> dice.between(1L, segmentBytes * 6L);
            case 1 -> 0;
            default -> dice.pick(Long.MAX_VALUE, Long.MAX_VALUE - 1);
        };
    }

    static long segmentMs(Family family, Dice dice, long tick) {
        double brief = family == Family.ROLL ? 0.6 : 0.35;
        if (dice.chance(brief)) {
            return dice.between(1L, tick * 12);
        }
        return dice.chance(0.95) ? WEEK : Long.MAX_VALUE;
    }
}
