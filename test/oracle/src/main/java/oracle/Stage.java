package oracle;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.storage.internals.log.LogAppendInfo;

/** One log on stage: carries out steps, records them, and knows the state and settings they lead to. */
final class Stage {
    private final LogUnderTest log;
    private final Recorder recorder;
    private final Tally tally;
    private final MockClock clock;
    private Settings settings;
    private State state;
    private long firstStamp = -1;
    private long created;
    private int indexBytes;

    Stage(LogUnderTest log, Recorder recorder, Tally tally, MockClock clock, Settings settings) throws IOException {
        this.log = log;
        this.recorder = recorder;
        this.tally = tally;
        this.clock = clock;
        this.settings = settings;
        state = log.state();
        created = clock.milliseconds();
        indexBytes = settings.segmentIndexBytes();
    }

    State state() {
        return state;
    }

    Settings settings() {
        return settings;
    }

    long now() {
        return clock.milliseconds();
    }

    int steps() {
        return recorder.count();
    }

    /** Largest stamp of the active segment's first batch, from which the clock roll counts; -1 when it has none. */
    long firstStamp() {
        return firstStamp;
    }

    /** When the active segment's object was made: what the clock roll counts from when its first batch has no stamp. */
    long created() {
        return created;
    }

    /** Moves the clock, but not before the first step: a vector's log is made at that step's instant. */
    void moveTo(long instant) {
        if (steps() > 0) {
            clock.moveTo(instant);
        }
    }

    /** Appends a batch; the high watermark is set afterwards, unless then is null. */
    void append(Batch batch, HighWatermark then) throws IOException {
        State before = state;
        LogAppendInfo info = log.append(batch);
        State appended = log.state();
        Map<String, Object> step = step("append");
        step.put("base", info.firstOffset());
        step.put("last", info.lastOffset());
        step.put("bytes", total(appended) - total(before));
        step.put("max_ts", info.maxTimestamp());
        if (then != null) {
            long offset = then.after(before, appended);
            step.put("hw", offset);
            log.highWatermark(offset);
        }
        countRoll(before, appended, batch, info);
        record(step);
        if (state.active().bytes() == batch.bytes()) {
            firstStamp = info.maxTimestamp();
        }
    }

    /** Where the high watermark goes after an append. */
    interface HighWatermark {
        long after(State before, State appended);
    }

    void pass() throws IOException {
        tally.pass(state, settings, now());
        Map<String, Object> step = step("pass");
        long base = state.active().base();
        int deleted = log.pass();
        step.put("deleted", deleted);
        record(step);
        tally.deleted += deleted;
        if (state.active().base() != base) {
            tally.roll(Tally.Roll.BY_PASS);
        }
    }

    void highWatermark(long offset) throws IOException {
        Map<String, Object> step = step("hw");
        step.put("hw", offset);
        log.highWatermark(offset);
        record(step);
    }

    void deleteRecords(long offset) throws IOException {
        Map<String, Object> step = step("delete_records");
        step.put("offset", offset);
        log.deleteRecords(offset);
        record(step);
    }

    void configure(Map<String, Object> changes) throws IOException {
        Map<String, Object> step = step("config");
        step.put("set", changes);
        settings = settings.with(changes);
        log.configure(settings);
        record(step);
    }

    void configure(String key, Object value) throws IOException {
        configure(Map.of(key, value));
    }

    void reload() throws IOException {
        int least = log.indexBytesForReload();
        if (settings.segmentIndexBytes() < least) {
            configure(Settings.SEGMENT_INDEX_BYTES, least);
        }
        log.reload(settings);
        created = now();
        indexBytes = settings.segmentIndexBytes();
        record(step("reload"));
    }

    private Map<String, Object> step(String op) {
        Map<String, Object> step = new LinkedHashMap<>();
        step.put("op", op);
        step.put("now", now());
        return step;
    }

    private void record(Map<String, Object> step) throws IOException {
        long base = state.active().base();
        state = log.state();
        if (state.active().base() != base) {
            created = now();
            indexBytes = settings.segmentIndexBytes();
            firstStamp = -1;
        }
        recorder.add(step, state);
        tally.steps++;
    }

    private static long total(State state) {
        return state.bytesAfter(-1);
    }

    /** The first rule that explains a roll before an append; the time index is what is left when no other does. */
    private void countRoll(State before, State appended, Batch batch, LogAppendInfo info) throws IOException {
        State.Segment old = before.active();
        if (appended.active().base() == old.base()) {
            return;
        }
        if (old.bytes() > settings.segmentBytes() - batch.bytes()) {
            tally.roll(Tally.Roll.BYTES);
        } else if (old.bytes() > 0 && waited(info.maxTimestamp()) > settings.segmentMs()) {
            tally.roll(Tally.Roll.TIME);
        } else if (info.lastOffset() - old.base() > Integer.MAX_VALUE) {
            tally.roll(Tally.Roll.RELATIVE_OFFSET);
        } else {
            tally.roll(log.offsetEntriesOf(old.base()) >= indexBytes / 8
                    ? Tally.Roll.OFFSET_INDEX : Tally.Roll.TIME_INDEX);
        }
    }

    private long waited(long incoming) {
        return firstStamp >= 0 ? incoming - firstStamp : now() - created;
    }
}
