#!/bin/sh
# Builds the oracle (once per Kafka version and state of the sources) and runs
# it with the given arguments:
#
#   test/oracle/run.sh --family time --seed 42 --logs 100 --out DIR
#   KAFKA_VERSION=4.1.2 test/oracle/run.sh --self-check
#   test/oracle/run.sh --build     # and no more
#
# Maven is tried without the network first. Needs JDK 17 and Maven.
set -eu

version=${KAFKA_VERSION:-4.4.0}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build="$root/.cache/oracle/$version"
stamp="$build/built"

if [ ! -f "$stamp" ] || [ -n "$(find "$here/pom.xml" "$here/src" -newer "$stamp" -print)" ]; then
	rm -rf "$build"
	mkdir -p "$build"
	maven() { mvn -q -B "$@" -f "$here/pom.xml" "-Dkafka.version=$version" "-Dbuild.folder=$build" compile; }
	if ! maven -o >"$build/offline.txt" 2>&1; then
		maven >&2
	fi
	touch "$stamp"
fi
[ "${1:-}" = --build ] && exit 0

# Versions before 4.4 leave the mappings of trimmed index files to the garbage
# collector: a small young generation keeps their number low.
exec java -XX:+UseParallelGC -Xmn48m -Xmx512m -XX:-UsePerfData \
	-cp "$build/classes:$build/lib/*" oracle.Oracle "$@"
