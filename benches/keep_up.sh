#!/bin/sh
# Measures incremental rating: imports and rates a whole history, then adds one contest at its end
# and rates, corrects a contest in its middle and rates, each compared with a replay from the
# beginning. Prints medians of the seconds, and the share of a replay.
#
#     benches/keep_up.sh PATH      (a .tar.zst or a folder of contest files, JSON)
#
# RUNS      rounds of measurement (5)
# CONTEST   index of the corrected contest, in the order of time (700)
# RANKLORE  the binary (built with `cargo build --release` unless given)
#
# Needs tar with zstd for an archive. A contest file is one JSON object in one file.
set -eu

if [ $# -ne 1 ] || [ ! -e "$1" ]; then
    echo "usage: $0 PATH    (a .tar.zst or a folder of contest files)" >&2
    exit 2
fi
contests=$1
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
runs=${RUNS:-5}
corrected=${CONTEST:-700}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

if [ -z "${RANKLORE:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" -p ranklore >&2
    target=$(cargo metadata --no-deps --format-version 1 --manifest-path "$root/Cargo.toml" |
        sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    RANKLORE=$target/release/ranklore
fi

# Milliseconds since 1970; whole seconds if `date` has no nanoseconds.
now() {
    stamp=$(date +%s%N)
    case $stamp in
    *[!0-9]*) echo "$(date +%s)000" ;;
    *) echo "${stamp%??????}" ;;
    esac
}

# Runs a command of ranklore and writes its output to $scratch/result.
run() {
    "$RANKLORE" "$@" >"$scratch/result" 2>"$scratch/log" || failed "$@"
}

failed() {
    cat "$scratch/log" >&2
    echo "failed: ranklore $*" >&2
    exit 1
}

# Rates $db and appends the name of the step and the milliseconds to $scratch/times.
measure() {
    begin=$(now)
    run rate whole --db "$db" --json
    echo "$1 $(($(now) - begin))" >>"$scratch/times"
}

# Prints the time of a contest file.
time_of() {
    sed -n 's/.*"time_seconds": *\([0-9][0-9]*\).*/\1/p' "$1" | sed -n 1p
}

documents=$contests
if [ -f "$contests" ]; then
    documents=$scratch/documents
    mkdir "$documents"
    tar --zstd -xf "$contests" -C "$documents"
fi
find "$documents" -name '*.json' | while IFS= read -r file; do
    time=$(time_of "$file")
    [ -z "$time" ] || printf '%s\t%s\n' "$time" "$file"
done | sort -n >"$scratch/order"
count=$(wc -l <"$scratch/order")
if [ "$count" -lt 2 ]; then
    echo "$contests: fewer than two contest files with a time" >&2
    exit 2
fi
[ "$corrected" -lt "$count" ] || corrected=$((count / 2))
file_at() {
    sed -n "$1p" "$scratch/order" | cut -f 2-
}

# A copy of the last contest, a day later and with another id.
last=$(file_at "$count")
time=$(time_of "$last")
mkdir "$scratch/new" "$scratch/correction"
sed -E -e 's/"id": *("[^"]*"|[0-9]+), *//' -e 's/, *"id": *("[^"]*"|[0-9]+)//' \
    -e "s/\"time_seconds\": *$time/\"time_seconds\": $((time + 86400)), \"id\": \"keep-up\"/" \
    "$last" >"$scratch/new/keep-up.json"
# Sets another weight, also if the file has none. The contest keeps its id, which may be the name of
# its file.
middle=$(file_at "$corrected")
name=$(basename "$middle")
time=$(time_of "$middle")
sed -e 's/"weight": *[0-9.]*, *//' -e 's/, *"weight": *[0-9.]*//' \
    -e "s/\"time_seconds\": *$time/\"time_seconds\": $time, \"weight\": 0.75/" \
    "$middle" >"$scratch/correction/$name"

round=1
while [ "$round" -le "$runs" ]; do
    echo "round $round of $runs" >&2
    rm -f "$scratch"/whole.sqlite*
    db=$scratch/whole.sqlite
    run import "$documents" --source whole --db "$db" --json
    measure whole
    run import "$scratch/new" --source whole --db "$db" --json
    grep -q '"added": *1\b' "$scratch/result" || failed 'import: the new contest is none'
    measure added
    run import "$scratch/correction" --source whole --db "$db" --json
    grep -q '"revised": *1\b' "$scratch/result" || failed 'import: the correction is none'
    measure corrected
    measure nothing
    round=$((round + 1))
done

"$RANKLORE" --version
# Sorted by step and time, so that the median of a step is its middle line.
sort -k1,1 -k2,2n "$scratch/times" | awk -v count="$count" -v corrected="$corrected" '
    { seconds[$1, ++lines[$1]] = $2 / 1000 }
    function median(step,   n, half) {
        n = lines[step]
        half = int((n + 1) / 2)
        return n % 2 ? seconds[step, half] : (seconds[step, half] + seconds[step, half + 1]) / 2
    }
    function row(step, name) {
        printf "%-28s %9.3f %9.3f %9.3f %9.1f%%\n", name, median(step), seconds[step, 1], seconds[step, lines[step]], 100 * median(step) / median("whole")
    }
    END {
        print count " contests, " lines["whole"] " rounds"
        printf "%-28s %9s %9s %9s %10s\n", "rate", "median s", "fastest", "slowest", "of a replay"
        row("whole", "from the beginning")
        row("added", "one contest more at the end")
        row("corrected", "contest " corrected " corrected")
        row("nothing", "nothing new")
    }
'
