package oracle;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** Makes logs one after the other in a folder of memory, if there is one. One thread at a time. */
final class Workplace {
    private static final String TOPIC_DIR = "t-0";

    private final Kafka kafka;
    private final BrokerTopicStats stats;
    private final boolean emptyPolicyAllowed;
    private final Path root;
    private int made;

    Workplace(Kafka kafka, BrokerTopicStats stats, boolean emptyPolicyAllowed, Path root) {
        this.kafka = kafka;
        this.stats = stats;
        this.emptyPolicyAllowed = emptyPolicyAllowed;
        this.root = root;
    }

    /** A new folder under /dev/shm, or where Java keeps temporary files. */
    static Path makeRoot() throws IOException {
        Path memory = Path.of("/dev/shm");
        String prefix = "retention-oracle-";
        return Files.isWritable(memory) ? Files.createTempDirectory(memory, prefix) : Files.createTempDirectory(prefix);
    }

    /** The line of one log, from an empty directory to its last step. */
    String log(Family family, long seed, int number, Tally tally) throws IOException {
        Dice dice = new Dice(seed, family, number);
        Opening opening = Opening.of(family, dice, emptyPolicyAllowed);
        String name = String.format("%s-%d-%06d", family.label(), seed, number);
        MockClock clock = new MockClock(opening.now());
        Path parent = root.resolve(Integer.toString(made++));
        Recorder recorder = new Recorder(name, kafka.version(), opening.settings());
        try (LogUnderTest log = new LogUnderTest(kafka, parent.resolve(TOPIC_DIR), stats, clock, opening.settings())) {
            Stage stage = new Stage(log, recorder, tally, clock, opening.settings());
            new Schedule(kafka, family, dice, opening, stage, emptyPolicyAllowed).run();
        } catch (RuntimeException e) {
            throw new IllegalStateException("log " + name + ", step " + recorder.count(), e);
        }
        delete(parent);
        tally.logs++;
        return recorder.line();
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, IOException failure) throws IOException {
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
