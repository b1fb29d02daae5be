package oracle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Properties;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.storage.internals.log.LogAppendInfo;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * The few calls that differ between 4.1 and 4.4: the record classes moved into a package "internal" in 4.3, and 4.4 took
 * the last time index entry out of close() into prepareActiveSegmentForClose().
 */
final class Kafka {
    private static final byte MAGIC = 2;
    private static final int LEADER_EPOCH = 0;

    /** Compacted topics refuse records without a key. */
    private static final byte[] KEY = {1};

    private final String version = readVersion();
    private final Method builder;
    private final Method addRecord;
    private final Method build;
    private final Method sizeInBytes;
    private final Method appendAsLeader;
    private final Method appendAsFollower;
    private final Method prepareForClose;

    Kafka() {
        try {
            Class<?> records = recordClass("MemoryRecords");
            Class<?> recordsBuilder = recordClass("MemoryRecordsBuilder");
            builder = records.getMethod("builder", ByteBuffer.class, byte.class, Compression.class, TimestampType.class,
                    long.class, long.class, int.class);
            addRecord = recordsBuilder.getMethod("appendWithOffset", long.class, long.class, byte[].class, byte[].class);
            build = recordsBuilder.getMethod("build");
            sizeInBytes = records.getMethod("sizeInBytes");
            appendAsLeader = UnifiedLog.class.getMethod("appendAsLeader", records, int.class);
            appendAsFollower = UnifiedLog.class.getMethod("appendAsFollower", records, int.class);
            prepareForClose = methodOrNull(UnifiedLog.class, "prepareActiveSegmentForClose");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Kafka version has another log: " + version, e);
        }
    }

    /** The version that ran, as its jar names it. */
    String version() {
        return version;
    }

    private static String readVersion() {
        try (InputStream in = UnifiedLog.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            Properties p = new Properties();
            p.load(in);
            return p.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("read kafka-version.properties", e);
        }
    }

    private static Class<?> recordClass(String name) throws ClassNotFoundException {
        try {
            return Class.forName("org.apache.kafka.common.record.internal." + name);
        } catch (ClassNotFoundException before43) {
            return Class.forName("org.apache.kafka.common.record." + name);
        }
    }

    private static Method methodOrNull(Class<?> owner, String name) {
        try {
            return owner.getMethod(name);
        } catch (NoSuchMethodException absent) {
            return null;
        }
    }

    /** One real record batch: record i has offsets[i], stamps[i] (-1: none) and a value of sizes[i] bytes. */
    Object batch(long[] offsets, long[] stamps, int[] sizes) {
        int room = 100;
        for (int size : sizes) {
            room += size + 40;
        }
        Object b = call(builder, null, ByteBuffer.allocate(room), MAGIC, Compression.NONE, TimestampType.CREATE_TIME,
                offsets[0], -1L, LEADER_EPOCH);
        for (int i = 0; i < offsets.length; i++) {
            call(addRecord, b, offsets[i], stamps[i], KEY, new byte[sizes[i]]);
        }
        return call(build, b);
    }

    int bytes(Object batch) {
        return (int) call(sizeInBytes, batch);
    }

    LogAppendInfo append(UnifiedLog log, Object batch, boolean follower) {
        return (LogAppendInfo) call(follower ? appendAsFollower : appendAsLeader, log, batch, LEADER_EPOCH);
    }

    /** The broker's shutdown of one log, in LogManager's order. */
    void close(UnifiedLog log) {
        if (prepareForClose != null) {
            call(prepareForClose, log);
        }
        log.flush(true);
        log.close();
    }

    private static Object call(Method method, Object on, Object... arguments) {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("the log refused " + method.getName(), e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
