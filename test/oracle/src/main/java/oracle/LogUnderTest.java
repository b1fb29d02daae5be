package oracle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.storage.internals.log.LogAppendInfo;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** Kafka's own log of one partition on real files, under the mock clock. */
final class LogUnderTest implements AutoCloseable {
    private static final int DAY_MS = 86_400_000;

    private final Kafka kafka;
    private final MockClock clock;
    private final MockScheduler scheduler;
    private final BrokerTopicStats stats;
    private final Path dir;
    private UnifiedLog log;

    LogUnderTest(Kafka kafka, Path dir, BrokerTopicStats stats, MockClock clock, Settings settings) throws IOException {
        this.kafka = kafka;
        this.clock = clock;
        this.stats = stats;
        this.dir = dir;
        scheduler = new MockScheduler(clock);
        log = open(settings, 0, 0);
    }

    private UnifiedLog open(Settings settings, long start, long recoveryPoint) throws IOException {
        boolean cleanShutdown = true;
        return UnifiedLog.create(dir.toFile(), settings.logConfig(), start, recoveryPoint, scheduler, stats, clock, DAY_MS,
                new ProducerStateManagerConfig(DAY_MS, false), DAY_MS, new LogDirFailureChannel(1), cleanShutdown,
                Optional.empty());
    }

    /** Appends one batch; the answer tells its offsets and its largest stamp as stored. */
    LogAppendInfo append(Batch batch) {
        scheduler.runDue();
        return kafka.append(log, batch.records(), batch.follower());
    }

    void highWatermark(long offset) throws IOException {
        scheduler.runDue();
        log.updateHighWatermark(offset);
    }

    void deleteRecords(long offset) {
        scheduler.runDue();
        log.maybeIncrementLogStartOffset(offset, LogStartOffsetIncrementReason.ClientRecordDeletion);
    }

    void configure(Settings settings) {
        scheduler.runDue();
        log.updateConfig(settings.logConfig());
    }

    int pass() throws IOException {
        scheduler.runDue();
        return log.deleteOldSegments();
    }

    /** A clean stop and start of the broker: log start and high watermark come back from its checkpoint files. */
    void reload(Settings settings) throws IOException {
        long start = log.logStartOffset();
        long highWatermark = log.highWatermark();
        shut();
        log = open(settings, start, log.recoveryPoint());
        log.updateHighWatermark(highWatermark);
    }

    private void shut() {
        scheduler.runAll();
        kafka.close(log);
        scheduler.runAll();
        log.removeLogMetrics();
    }

    State state() throws IOException {
        List<State.Segment> segments = new ArrayList<>();
        for (LogSegment s : log.logSegments()) {
            segments.add(new State.Segment(s.baseOffset(), s.size(), s.largestRecordTimestamp().orElse(-1)));
        }
        return new State(log.logStartOffset(), log.logEndOffset(), log.highWatermark(), List.copyOf(segments));
    }

    /**
     * The least segment.index.bytes with which the log can be loaded again: a start shrinks the active segment's index
     * files to that size, and fails where they hold more (AbstractIndex.resize). The stop may add a time entry.
     */
    int indexBytesForReload() throws IOException {
        LogSegment active = log.activeSegment();
        return Math.max(active.offsetIndex().entries() * 8, (active.timeIndex().entries() + 1) * 12);
    }

    /** Entries in a segment's offset index. */
    int offsetEntriesOf(long base) throws IOException {
        for (LogSegment s : log.logSegments()) {
            if (s.baseOffset() == base) {
                return s.offsetIndex().entries();
            }
        }
        return 0;
    }

    @Override
    public void close() {
        shut();
    }
}
