# What test/run and test/full share: the preparation, which is timed apart, and the steps with
# their table. To be sourced with the root of the repository as working directory.

export PATH="$PATH:/usr/local/go/bin"
bin=$PWD/.cache/bin
logs=$PWD/.cache/logs
counts=$logs/counts
# Tests that need libraries of their own are in modules of their own.
own_modules=(dashboards/build test/manifests test/page test/image test/chart)
names=() seconds=() results=()
mkdir -p "$bin" "$logs"
: >"$counts"

# The vectors recorded from real brokers lie beside the repository where its specification does.
if [ -z "${RETENTION_VECTORS:-}" ] && [ -d ../shared/vectors ]; then
	RETENTION_VECTORS=$(cd ../shared/vectors && pwd)
	export RETENTION_VECTORS
fi

# prepare NAME COMMAND...: a download or the first build of a tool. Without it there is no test.
prepare() {
	local name=$1 start=$SECONDS
	shift
	if ! "$@"; then
		echo "could not prepare: $name" >&2
		exit 1
	fi
	printf 'prepared in %4d s: %s\n' $((SECONDS - start)) "$name"
}

# step NAME COMMAND...: one check. All are run, whatever fails.
step() {
	local name=$1 start=$SECONDS result=passed
	shift
	printf '\n== %s\n' "$name"
	"$@" || result=FAILED
	names+=("$name") seconds+=($((SECONDS - start))) results+=("$result")
}

# go_tests FLAG... PACKAGE...: tests, counted one by one. What they say on standard error, the
# download lines of the go command among it, goes to the terminal.
go_tests() {
	counted go test -race -json "$@"
}

# plain_tests is go_tests without -race, which makes arithmetic ten times as slow and has nothing to
# find where no goroutine is started.
plain_tests() {
	counted go test -json "$@"
}

# counted COMMAND...: a go test -json, its tests counted one by one.
counted() {
	"$@" | "$bin/summary" "$counts"
	local codes=("${PIPESTATUS[@]}")
	[ "${codes[0]}" = 0 ] && [ "${codes[1]}" = 0 ]
}

# broker_tests PACKAGE...: tests that start real brokers, four packages at a time and four tests of one that
# says that its tests may, since most of their time they wait. They follow programs in compressed time, which a loaded machine can disturb: a
# test that fails is run once more, with nothing beside it, and what it says then counts. The first
# failure stays in the output.
broker_tests() {
	local first=$logs/brokers.json once=$logs/brokers.counts package tests ok=0
	: >"$once"
	if go test -race -json -count=1 -p 4 -parallel 4 -timeout 25m "$@" | tee "$first" | "$bin/summary" "$once"; then
		cat "$once" >>"$counts"
		return 0
	fi
	awk '{print $1, 0, $3}' "$once" >>"$counts"
	for package in $(failed_packages "$first"); do
		tests=$(failed_tests "$first" "$package")
		printf '\nonce more, alone: %s %s\n' "$package" "${tests:-(all of it)}"
		go_tests -count=1 -timeout 25m ${tests:+-run "^($tests)\$"} "$package" || ok=1
	done
	return $ok
}

# failed_packages JSON and failed_tests JSON PACKAGE read the output of go test -json; the tests
# are joined for -run, and there are none where a package did not build or was cut off.
failed_packages() {
	grep '"Action":"fail"' "$1" | grep -v '"Test":' | sed -nE 's/.*"Package":"([^"]+)".*/\1/p' | sort -u
}

failed_tests() {
	grep '"Action":"fail"' "$1" | grep -F "\"Package\":\"$2\"" | sed -nE 's/.*"Test":"([^"/]+)".*/\1/p' | sort -u | paste -sd '|'
}

# fuzz SECONDS DISK: every fuzz target there is for so many seconds, and those that read a broker's
# files for DISK seconds together. An input that fails is left in the package's testdata.
fuzz() {
	local package target seconds ok=0 disk
	disk=$(fuzz_targets | grep -c '^./collector/disk ')
	while read -r package target; do
		seconds=$1
		[ "$package" = ./collector/disk ] && seconds=$(($2 / disk))
		fuzz_target "$package" "$target" "$seconds" ||
			{ fuzz_stopped_late && fuzz_target "$package" "$target" "$seconds"; } ||
			{ cat "$logs/fuzz"; ok=1; }
		printf '%-22s %-20s %4d s  %s\n' "$package" "$target" "$seconds" "$(grep -oE 'execs: [0-9]+' "$logs/fuzz" | tail -1)"
	done < <(fuzz_targets)
	return $ok
}

# fuzz_target PACKAGE TARGET SECONDS: an input that is merely of interest is not made smaller, which
# would be most of a short run.
fuzz_target() {
	go test -run '^$' -fuzz "^$2\$" -fuzztime "${3}s" -fuzzminimizetime 1x "$1" >"$logs/fuzz" 2>&1 </dev/null
}

# fuzz_stopped_late: the last run failed for nothing but Go's own end of it, which now and then reports
# its own deadline as a failure when a worker answers just then. No input failed, or it would be named.
fuzz_stopped_late() {
	grep -qx '    context deadline exceeded' "$logs/fuzz" && ! grep -qE 'Failing input|panic|hung or terminated' "$logs/fuzz"
}

# fuzz_targets lists packages and their targets.
fuzz_targets() {
	git grep --untracked -oE '^func Fuzz[A-Za-z]+' -- '*_test.go' | sed -E 's|^([^:]*):func |\1 |; s|^([^ ]*/)?[^/ ]+ |./\1 |; s|/ | |' | sort
}

# module_tests DIR: the tests of such a module, without -race, for which its libraries would be
# built once more; these tests start no goroutines.
module_tests() {
	(cd "$1" && go mod tidy -diff && go test -json ./... | "$bin/summary" "$counts")
}

# longest are the packages with brokers that take more than a minute and a half, the longest first: begun
# last, they would run on alone.
longest=(./test/endtoend ./test/compressed ./test/faults ./test/sidecar ./test/budget ./test/security ./test/cases ./test/commits)

# broker_packages lists the packages whose tests start real brokers or compare with wall time, the
# longest first.
broker_packages() {
	local all
	all=$(grep -rlE --include='*_test.go' 'kafkatest\.(Require|Start)|KRE_BROKER|KRE_ALONE' . |
		xargs -r -n1 dirname | sort -u | grep -v '^./test/tools')
	printf '%s\n' "${longest[@]}" | grep -xF -f <(printf '%s\n' "$all")
	printf '%s\n' "$all" | grep -vxF -f <(printf '%s\n' "${longest[@]}")
}

# unraced start goroutines and are too large for -race: each says so.
unraced=(./test/budget/large)

# pure_packages lists those of the others that start no goroutine or are unraced, and racing_packages the rest.
pure_packages() {
	local dir
	printf '%s\n' "${unraced[@]}"
	for dir in $(other_packages | grep -vxF -f <(printf '%s\n' "${unraced[@]}")); do
		grep -qE '^[[:space:]]*go [a-z]|\.Go\(|\.Parallel\(|synctest' "$dir"/*.go || echo "$dir"
	done
}

racing_packages() {
	other_packages | grep -vxF -f <(pure_packages; echo ./none)
}

other_packages() {
	go list -f '{{.Dir}}' ./... | sed "s|^$PWD|.|" | sort -u | grep -vxF -f <(broker_packages; echo ./none)
}

# debian_packages prints what is missing for the tests, by Debian's names.
debian_packages() {
	# With the compiler: test/oracle is built from its sources.
	if ! command -v javac >/dev/null || [ "$(java_major)" -lt 17 ]; then echo default-jdk-headless; fi
	command -v mvn >/dev/null || echo maven
	command -v cc >/dev/null || echo gcc libc6-dev # for go test -race
	command -v promtool >/dev/null || echo prometheus # for the tests of alert rules
	command -v amtool >/dev/null || echo prometheus-alertmanager
	[ -x /usr/sbin/krb5kdc ] || echo krb5-kdc # for logins by ticket
	[ -x /usr/sbin/kadmin.local ] || echo krb5-admin-server
	command -v curl >/dev/null || echo curl # for the commands of the runbooks
	command -v chromium >/dev/null || echo chromium fonts-dejavu-core # for the status page
}

java_major() { java -version 2>&1 | sed -nE '1s/.*"([0-9]+).*/\1/p' | grep . || echo 0; }

install_missing() {
	local missing
	missing=$(debian_packages | xargs)
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "missing programs. As root on Debian 12 or 13: apt-get install -y --no-install-recommends $missing" >&2
		return 1
	fi
	# shellcheck disable=SC2086
	apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >"$logs/apt.log" 2>&1 ||
		{ tail -20 "$logs/apt.log" >&2; return 1; }
}

need_go() {
	command -v go >/dev/null && return
	echo "missing Go: version $(sed -n 's/^go //p' go.mod) or newer, from https://go.dev/dl or Debian backports" >&2
	return 1
}

# tools builds the pinned tools when their pins or the compiler have changed.
tools() {
	local stamp
	stamp=$(go version && cat test/tools/go.mod test/tools/go.sum)
	if [ "$(cat "$bin/stamp" 2>/dev/null)" != "$stamp" ]; then
		(cd test/tools && GOBIN=$bin go install tool) && printf '%s\n' "$stamp" >"$bin/stamp" || return 1
	fi
	go build -o "$bin/summary" ./test/summary
}

# broker_jars fetches what a broker consists of into Maven's own cache; the tests take it from there.
broker_jars() {
	local version
	version=$(sed -nE 's/.*DefaultVersion *= *"([^"]+)".*/\1/p' test/kafka/*.go | head -1)
	[ -f ".cache/kafka/$version/pom.xml" ] && return
	mvn -q -B -f test/kafka/pom.xml -P log4j2 "-Dkafka.version=$version" dependency:copy-dependencies \
		"-DoutputDirectory=$PWD/.cache/jars" -DincludeScope=runtime
	rm -rf .cache/jars
}

# image_libraries compiles once, for both architectures, what the Dockerfile's build is made of.
image_libraries() {
	local arch
	for arch in amd64 arm64; do
		CGO_ENABLED=0 GOARCH=$arch go build -trimpath -o /dev/null . || return 1
	done
}

# oracles builds test/oracle for the given Kafka releases.
oracles() {
	local version
	for version in "$@"; do
		KAFKA_VERSION=$version test/oracle/run.sh --build || return 1
	done
}

# module_libraries fetches what those modules need and builds it once.
module_libraries() {
	local dir
	for dir in "${own_modules[@]}"; do
		(cd "$dir" && go mod download && go test -count=1 -run '^$' ./... >/dev/null) || return 1
	done
}

prepare_all() {
	prepare "Go" need_go
	prepare "programs (JDK, Maven, C compiler, Prometheus, Alertmanager, curl)" install_missing
	prepare "Go modules" go mod download
	prepare "staticcheck and golangci-lint, pinned in test/tools" tools
	prepare "Kafka from Maven Central" broker_jars
	prepare "libraries of ${own_modules[*]}" module_libraries
	prepare "the program as the image has it, amd64 and arm64" image_libraries
	prepare "oracle on Kafka 4.4.0" oracles 4.4.0
}

formatted() {
	local files
	files=$(git ls-files --cached --others --exclude-standard '*.go' | xargs -r ls -d 2>/dev/null | xargs gofmt -l)
	[ -z "$files" ] || { echo "gofmt would change:"; echo "$files"; return 1; }
}

# finish prints the table and, alone on the last line, the counts: every test and every other step.
finish() {
	local i passed failed skipped failed_steps=0
	printf '\n%-58s %8s  %s\n' step seconds result
	for i in "${!names[@]}"; do
		printf '%-58s %8d  %s\n' "${names[$i]}" "${seconds[$i]}" "${results[$i]}"
		[ "${results[$i]}" = passed ] || failed_steps=$((failed_steps + 1))
	done
	read -r passed failed skipped < <(awk '{p += $1; f += $2; s += $3} END {print p + 0, f + 0, s + 0}' "$counts")
	passed=$((passed + ${#names[@]} - failed_steps)) failed=$((failed + failed_steps))
	printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	[ "$failed" = 0 ]
}
