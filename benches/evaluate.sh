#!/bin/sh
# Compares all rating systems over the contests of a source, and replays each alone: prints the
# seconds of the comparison, the sum of the replays, their ratio, and the peak memory.
#
#     benches/evaluate.sh FILE [SOURCE]      (a database; by default its only source)
#
# RUNS      measurements, of which medians are printed (3)
# RANKLORE  the binary (built with `cargo build --release` unless given)
#
# The file is copied. Needs GNU time (Debian: apt-get install time) and python3. Other load on the
# machine increases the seconds: look at the CPU seconds too.
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -f "$1" ]; then
    echo "usage: $0 FILE [SOURCE]    (a database)" >&2
    exit 2
fi
source=${2:-}
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
runs=${RUNS:-3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

if [ -z "${RANKLORE:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" -p ranklore >&2
    target=$(cargo metadata --no-deps --format-version 1 --manifest-path "$root/Cargo.toml" |
        sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    RANKLORE=$target/release/ranklore
fi
cp "$1" "$scratch/copy.sqlite"
export RANKLORE_DB="$scratch/copy.sqlite"

# Compares systems; writes the JSON to a file and the seconds, CPU seconds and kilobytes beside it.
compare() {
    # shellcheck disable=SC2086 # without a source there is no argument
    /usr/bin/time -o "$scratch/$2.time" -f '%e %U %S %M' \
        "$RANKLORE" evaluate $source --systems "$1" --json >"$scratch/$2.json"
}

run=0
while [ "$run" -lt "$runs" ]; do
    compare all "all-$run"
    python3 -c 'import json, sys
for of in json.load(open(sys.argv[1]))["systems"]:
    if of["bytes"] is not None:
        print(of["system"])' "$scratch/all-$run.json" >"$scratch/systems"
    while read -r system; do
        compare "$system" "$system-$run"
    done <"$scratch/systems"
    run=$((run + 1))
done

python3 - "$scratch" "$runs" <<'PYTHON'
import json
import statistics
import sys

folder, runs = sys.argv[1], int(sys.argv[2])
systems = open(f"{folder}/systems").read().split()


def replay(system, run):
    """Returns the seconds of a replay on all cores."""
    compared = json.load(open(f"{folder}/{system}-{run}.json"))["systems"]
    return next(of["seconds"] for of in compared if of["system"] == system)


def used(run):
    return [float(word) for word in open(f"{folder}/all-{run}.time").read().split()]


total = 0.0
for system in systems:
    seconds = statistics.median(replay(system, run) for run in range(runs))
    total += seconds
    print(f"{system:22} {seconds:7.2f} s")
wall, user, kernel, memory = (statistics.median(column) for column in zip(*map(used, range(runs))))
print(f"{'sum of the replays':22} {total:7.2f} s")
print(f"{'comparison':22} {wall:7.2f} s, {user + kernel:.2f} s of CPU, {memory / 1024:.0f} MB")
print(f"{'ratio':22} {wall / total:7.2f}")
PYTHON
