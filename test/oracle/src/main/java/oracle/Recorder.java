package oracle;

import java.util.Map;

/** Writes one log as a line of a vector file. */
final class Recorder {
    private final StringBuilder steps = new StringBuilder();
    private final StringBuilder after = new StringBuilder();
    private final String head;
    private int count;

    Recorder(String name, String version, Settings settings) {
        head = "{\"name\":\"" + name + "\",\"kafka\":\"" + version + "\",\"config\":" + object(settings.fields());
    }

    int count() {
        return count;
    }

    void add(Map<String, Object> step, State state) {
        if (count > 0) {
            steps.append(',');
            after.append(',');
        }
        count++;
        steps.append(object(step));
        append(state);
    }

    String line() {
        return head + ",\"steps\":[" + steps + "],\"after\":[" + after + "]}\n";
    }

    private void append(State state) {
        after.append("{\"start\":").append(state.start())
                .append(",\"end\":").append(state.end())
                .append(",\"hw\":").append(state.highWatermark())
                .append(",\"segments\":[");
        String comma = "";
        for (State.Segment s : state.segments()) {
            after.append(comma).append('[').append(s.base()).append(',').append(s.bytes()).append(',').append(s.stamp()).append(']');
            comma = ",";
        }
        after.append("]}");
    }

    private static String object(Map<String, Object> fields) {
        StringBuilder b = new StringBuilder("{");
        fields.forEach((key, value) -> {
            if (b.length() > 1) {
                b.append(',');
            }
            b.append('"').append(key).append("\":").append(value(value));
        });
        return b.append('}').toString();
    }

    @SuppressWarnings("unchecked")
    private static String value(Object value) {
        if (value instanceof Map) {
            return object((Map<String, Object>) value);
        }
        return value instanceof String ? "\"" + value + "\"" : value.toString();
    }
}
