package oracle;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The command line. */
record Options(List<Family> families, long seed, int logs, Path out, int threads, boolean selfCheck) {
    static final String USAGE = """
            usage: run.sh --out DIR [--family NAME[,NAME]] [--seed N] [--logs N | --total N] [--threads N]
                   run.sh --self-check
              --family   time size both roll start hw policy disorder zero reload mixed (default: all)
              --seed     the same seed gives the same files (default 1)
              --logs     logs of each family (default 100)
              --total    logs of all families together, rounded up to the same number for each
              --threads  (default 2)
            Writes DIR/FAMILY-SEED.jsonl.gz for each family.""";

    static Options parse(String[] arguments) {
        List<Family> families = Arrays.asList(Family.values());
        long seed = 1;
        int logs = 100;
        int total = 0;
        Path out = null;
        int threads = 2;
        boolean selfCheck = false;
        for (int i = 0; i < arguments.length; i++) {
            String name = arguments[i];
            if (name.equals("--self-check")) {
                selfCheck = true;
                continue;
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException("no value after " + name);
            }
            String value = arguments[++i];
            switch (name) {
                case "--family" -> families = Arrays.stream(value.split(","))
                        .map(f -> Family.valueOf(f.toUpperCase(Locale.ROOT))).toList();
                case "--seed" -> seed = Long.parseLong(value);
                case "--logs" -> logs = positive(name, value);
                case "--total" -> total = positive(name, value);
                case "--out" -> out = Path.of(value);
                case "--threads" -> threads = positive(name, value);
                default -> throw new IllegalArgumentException("unknown option " + name);
            }
        }
        if (total > 0) {
            logs = (total + families.size() - 1) / families.size();
        }
        if (out == null && !selfCheck) {
            throw new IllegalArgumentException("--out is missing");
        }
        return new Options(families, seed, logs, out, threads, selfCheck);
    }

    private static int positive(String name, String value) {
        int n = Integer.parseInt(value);
        if (n < 1) {
            throw new IllegalArgumentException(name + " must be positive");
        }
        return n;
    }
}
