package oracle;

import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/** The only clock the log ever sees: it stands still until a schedule moves it forward. */
final class MockClock implements Time {
    private volatile long now;

    MockClock(long now) {
        this.now = now;
    }

    void moveTo(long later) {
        if (later < now) {
            throw new IllegalArgumentException("clock moved back from " + now + " to " + later);
        }
        now = later;
    }

    @Override
    public long milliseconds() {
        return now;
    }

    @Override
    public long hiResClockMs() {
        return now;
    }

    @Override
    public long nanoseconds() {
        return now * 1_000_000L;
    }

    @Override
    public void sleep(long ms) {
        throw new UnsupportedOperationException("the log slept");
    }

    @Override
    public void waitObject(Object obj, Supplier<Boolean> condition, long deadlineMs) {
        throw new UnsupportedOperationException("the log waited");
    }
}
