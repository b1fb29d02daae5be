package oracle;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** A few threads that make logs side by side and hand them over in order, so that files do not depend on timing. */
final class Crew implements AutoCloseable {
    private static final int CHUNK = 20;

    private record Lines(String text, Tally tally) {}

    private final ExecutorService threads;
    private final BlockingQueue<Workplace> free = new LinkedBlockingQueue<>();
    private final int count;

    Crew(Kafka kafka, int count, Path root) {
        this.count = count;
        threads = Executors.newFixedThreadPool(count);
        BrokerTopicStats stats = new BrokerTopicStats();
        boolean emptyPolicyAllowed = Settings.emptyPolicyAllowed();
        for (int i = 0; i < count; i++) {
            free.add(new Workplace(kafka, stats, emptyPolicyAllowed, root.resolve("w" + i)));
        }
    }

    /** Writes the lines of a family's logs 0 to logs - 1. */
    Tally write(Family family, long seed, int logs, Writer out) throws IOException, InterruptedException {
        Tally tally = new Tally();
        Queue<Future<Lines>> ahead = new ArrayDeque<>();
        for (int from = 0; from < logs; from += CHUNK) {
            int first = from;
            int end = Math.min(logs, from + CHUNK);
            ahead.add(threads.submit(() -> lines(family, seed, first, end)));
            if (ahead.size() > count * 4) {
                take(ahead, tally, out);
            }
        }
        while (!ahead.isEmpty()) {
            take(ahead, tally, out);
        }
        return tally;
    }

    private Lines lines(Family family, long seed, int from, int end) throws IOException, InterruptedException {
        Workplace workplace = free.take();
        try {
            StringBuilder text = new StringBuilder();
            Tally tally = new Tally();
            for (int number = from; number < end; number++) {
                text.append(workplace.log(family, seed, number, tally));
            }
            return new Lines(text.toString(), tally);
        } finally {
            free.add(workplace);
        }
    }

    private static void take(Queue<Future<Lines>> ahead, Tally tally, Writer out) throws IOException, InterruptedException {
        try {
            Lines lines = ahead.remove().get();
            out.write(lines.text);
            tally.add(lines.tally);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a log could not be made", e.getCause());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
