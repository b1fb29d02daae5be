package oracle;

import java.util.List;

/** What a vector shows of a log after a step. */
record State(long start, long end, long highWatermark, List<Segment> segments) {

    /** One segment; {@code stamp} is the largest record stamp in ms, -1 when the segment holds none. */
    record Segment(long base, long bytes, long stamp) {}

    Segment active() {
        return segments.get(segments.size() - 1);
    }

    boolean isActive(int i) {
        return i == segments.size() - 1;
    }

    /** The first offset behind segment i: the high watermark must have reached it before the segment may go. */
    long upper(int i) {
        return isActive(i) ? end : segments.get(i + 1).base();
    }

    /** Bytes behind segment i; -1 as i gives all bytes of the log. */
    long bytesAfter(int i) {
        long sum = 0;
        for (int j = i + 1; j < segments.size(); j++) {
            sum += segments.get(j).bytes();
        }
        return sum;
    }
}
