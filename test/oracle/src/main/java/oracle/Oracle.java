package oracle;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Records what Kafka's own log does under a mock clock, as retention vectors. */
public final class Oracle {
    private Oracle() {}

    public static void main(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(Options.USAGE);
            System.exit(2);
            return;
        }
        Path root = Workplace.makeRoot();
        // Also after a Ctrl-C: a folder left in /dev/shm would hold memory.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> clean(root)));
        Kafka kafka = new Kafka();
        try (Crew crew = new Crew(kafka, options.threads(), root)) {
            if (options.selfCheck()) {
                new SelfCheck(crew).run();
                System.out.printf("kafka %s: every family repeats%n", kafka.version());
            } else {
                write(options, kafka, crew);
            }
        }
        System.exit(0);
    }

    private static void write(Options options, Kafka kafka, Crew crew) throws IOException, InterruptedException {
        Files.createDirectories(options.out());
        Tally all = new Tally();
        long begun = System.nanoTime();
        for (Family family : options.families()) {
            Path file = options.out().resolve(family.label() + "-" + options.seed() + ".jsonl.gz");
            try (Writer out = new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
                Tally tally = crew.write(family, options.seed(), options.logs(), out);
                System.out.printf("%-8s %s%n", family.label(), text(tally));
                all.add(tally);
            }
        }
        System.out.printf("edges: %s%nrolls: %s%n", all.edgesText(), all.rollsText());
        System.out.printf("kafka %s, %s, seconds %.1f%n", kafka.version(), text(all), (System.nanoTime() - begun) / 1e9);
    }

    private static String text(Tally t) {
        return String.format("logs %d, steps %d, passes %d, edge passes %d, deleted segments %d",
                t.logs, t.steps, t.passes, t.edgePasses, t.deleted);
    }

    /** Tries a few times: after a Ctrl-C the other threads may still be making files. */
    private static void clean(Path root) {
        for (int left = 20; left > 0; left--) {
            try {
                Workplace.delete(root);
                return;
            } catch (IOException busy) {
                if (left == 1) {
                    System.err.println("left behind: " + root + ": " + busy);
                }
            }
        }
    }
}
