package oracle;

import java.io.IOException;
import java.io.StringWriter;

/** The same seed must give the same lines twice, for every family, and another seed other ones. */
final class SelfCheck {
    private static final int LOGS = 40;

    private final Crew crew;

    SelfCheck(Crew crew) {
        this.crew = crew;
    }

    void run() throws IOException, InterruptedException {
        for (Family family : Family.values()) {
            String once = lines(family, 7);
            if (!once.equals(lines(family, 7))) {
                throw new IllegalStateException(family.label() + ": two runs of one seed differ");
            }
            if (once.equals(lines(family, 8))) {
                throw new IllegalStateException(family.label() + ": two seeds gave the same logs");
            }
        }
    }

    private String lines(Family family, long seed) throws IOException, InterruptedException {
        StringWriter out = new StringWriter();
        crew.write(family, seed, LOGS, out);
        return out.toString();
    }
}
