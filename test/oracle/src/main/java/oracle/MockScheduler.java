package oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.util.Scheduler;

/**
 * Runs the log's background work (flush after a roll, unlink of deleted files) on the caller's thread, when the mock
 * clock has reached it. The log's one periodic task expires idle producers; schedules have none, so it is left out.
 */
final class MockScheduler implements Scheduler {
    private record Task(long due, Runnable work) {}

    private final MockClock clock;
    private List<Task> tasks = new ArrayList<>();

    MockScheduler(MockClock clock) {
        this.clock = clock;
    }

    void runDue() {
        runUntil(clock.milliseconds());
    }

    /** Runs everything still waiting, as before the files are closed: what it would unlink, a start unlinks as well. */
    void runAll() {
        while (!tasks.isEmpty()) {
            runUntil(Long.MAX_VALUE);
        }
    }

    private void runUntil(long instant) {
        if (tasks.isEmpty()) {
            return;
        }
        List<Task> waiting = tasks;
        tasks = new ArrayList<>();
        for (Task task : waiting) {
            if (task.due <= instant) {
                task.work.run();
            } else {
                tasks.add(task);
            }
        }
    }

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable work, long delayMs, long periodMs) {
        if (periodMs <= 0) {
            tasks.add(new Task(clock.milliseconds() + Math.max(delayMs, 0), work));
        }
        return new Handle();
    }

    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public void resizeThreadPool(int size) {}

    /** What the log keeps of a task; it only ever cancels the periodic one. */
    private static final class Handle implements ScheduledFuture<Void> {
        @Override
        public boolean cancel(boolean mayInterrupt) {
            return true;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isDone() {
            return false;
        }

        @Override
        public Void get() {
            return null;
        }

        @Override
        public Void get(long timeout, TimeUnit unit) {
            return null;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }
}
