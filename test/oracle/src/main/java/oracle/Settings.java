package oracle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.storage.internals.log.LogConfig;

/** The topic settings a vector may name, as the log gets them and as the file shows them. */
record Settings(
        String cleanupPolicy,
        long retentionMs,
        long retentionBytes,
        int segmentBytes,
        long segmentMs,
        String timestampType,
        int indexIntervalBytes,
        int segmentIndexBytes) {

    static final String CLEANUP_POLICY = "cleanup_policy";
    static final String RETENTION_MS = "retention_ms";
    static final String RETENTION_BYTES = "retention_bytes";
    static final String SEGMENT_BYTES = "segment_bytes";
    static final String SEGMENT_MS = "segment_ms";
    static final String INDEX_INTERVAL_BYTES = "index_interval_bytes";
    static final String SEGMENT_INDEX_BYTES = "segment_index_bytes";

    boolean deletes() {
        return cleanupPolicy.contains("delete");
    }

    boolean timeRule() {
        return deletes() && retentionMs >= 0;
    }

    boolean sizeRule() {
        return deletes() && retentionBytes >= 0;
    }

    boolean logAppendTime() {
        return timestampType.equals("LogAppendTime");
    }

    Settings with(Map<String, Object> changes) {
        Map<String, Object> all = fields();
        all.putAll(changes);
        return new Settings(
                (String) all.get(CLEANUP_POLICY),
                ((Number) all.get(RETENTION_MS)).longValue(),
                ((Number) all.get(RETENTION_BYTES)).longValue(),
                ((Number) all.get(SEGMENT_BYTES)).intValue(),
                ((Number) all.get(SEGMENT_MS)).longValue(),
                timestampType,
                ((Number) all.get(INDEX_INTERVAL_BYTES)).intValue(),
                ((Number) all.get(SEGMENT_INDEX_BYTES)).intValue());
    }

    /** The fields of the format, in its order. */
    Map<String, Object> fields() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(CLEANUP_POLICY, cleanupPolicy);
        all.put(RETENTION_MS, retentionMs);
        all.put(RETENTION_BYTES, retentionBytes);
        all.put(SEGMENT_BYTES, segmentBytes);
        all.put(SEGMENT_MS, segmentMs);
        all.put("segment_jitter_ms", 0);
        all.put("timestamp_type", timestampType);
        all.put(INDEX_INTERVAL_BYTES, indexIntervalBytes);
        all.put(SEGMENT_INDEX_BYTES, segmentIndexBytes);
        return all;
    }

    /**
     * As a topic's overrides. The segment size goes through the broker's internal name, which has no lower bound of
     * 1 MiB; stamps from the future are let through, as every broker did before 4.0 (KIP-1030).
     */
    LogConfig logConfig() {
        Properties p = new Properties();
        p.put(TopicConfig.CLEANUP_POLICY_CONFIG, cleanupPolicy);
        p.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(retentionMs));
        p.put(TopicConfig.RETENTION_BYTES_CONFIG, Long.toString(retentionBytes));
        p.put(LogConfig.INTERNAL_SEGMENT_BYTES_CONFIG, Integer.toString(segmentBytes));
        p.put(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(segmentMs));
        p.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, timestampType);
        p.put(TopicConfig.INDEX_INTERVAL_BYTES_CONFIG, Integer.toString(indexIntervalBytes));
        p.put(TopicConfig.SEGMENT_INDEX_BYTES_CONFIG, Integer.toString(segmentIndexBytes));
        p.put(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, Long.toString(Long.MAX_VALUE));
        return new LogConfig(p);
    }

    /** Whether this version's log takes an empty cleanup.policy (topics may have one since 4.2, KAFKA-19112). */
    static boolean emptyPolicyAllowed() {
        Map<String, Object> empty = Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "");
        try {
            new LogConfig(empty);
            return true;
        } catch (ConfigException refused) {
            return false;
        }
    }
}
