package oracle;

import java.util.SplittableRandom;

/** The random choices of one log, fixed by seed, family and number, whatever thread makes it. */
final class Dice {
    private final SplittableRandom random;

    Dice(long seed, Family family, int number) {
        random = new SplittableRandom(seed * 1_000_003L + family.ordinal() * 7_368_787L * 1_000_000L + number);
    }

    boolean chance(double p) {
        return random.nextDouble() < p;
    }

    /** Uniform, both ends included. */
    long between(long low, long high) {
        return random.nextLong(low, high + 1);
    }

    int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    long pick(long... values) {
        return values[random.nextInt(values.length)];
    }

    String pick(String... values) {
        return values[random.nextInt(values.length)];
    }

    /** An index, each as likely as its weight. */
    int weighted(int... weights) {
        int sum = 0;
        for (int weight : weights) {
            sum += weight;
        }
        int at = random.nextInt(sum);
        for (int i = 0; ; i++) {
            at -= weights[i];
            if (at < 0) {
                return i;
            }
        }
    }
}
