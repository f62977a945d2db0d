#!/bin/sh
# Imports, rates, evaluates and exports a whole history several times, each time with a new database.
# Prints medians of the seconds, results per second, peak memory, bytes of the file.
#
#     benches/whole.sh PATH      (a .tar.zst, a folder or a file of contest files)
#
# RUNS      rounds of measurement (5)
# RANKLORE  the binary (built with `cargo build --release` unless given)
#
# CPU seconds and peak memory come from GNU time (Debian: apt-get install time); without it they are
# not shown. Other load on the machine increases the wall-clock seconds: look at their spread and at
# the CPU seconds, not only at the median.
set -eu

if [ $# -ne 1 ] || [ ! -e "$1" ]; then
    echo "usage: $0 PATH    (a .tar.zst, a folder or a file of contest files)" >&2
    exit 2
fi
contests=$1
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
runs=${RUNS:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

if [ -z "${RANKLORE:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" -p ranklore >&2
    target=$(cargo metadata --no-deps --format-version 1 --manifest-path "$root/Cargo.toml" |
        sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    RANKLORE=$target/release/ranklore
fi

gnu_time=
if /usr/bin/time -f '%U %S %M' true >/dev/null 2>&1; then
    gnu_time=/usr/bin/time
fi

# Milliseconds since 1970; whole seconds if `date` has no nanoseconds.
now() {
    stamp=$(date +%s%N)
    case $stamp in
    *[!0-9]*) echo "$(date +%s)000" ;;
    *) echo "${stamp%??????}" ;;
    esac
}

# Runs a command of ranklore and writes its output to $scratch/result. Appends to $scratch/times the
# name of the step, the milliseconds, user and system CPU seconds, and peak kilobytes (0: unknown).
measure() {
    step=$1
    shift
    begin=$(now)
    if [ -n "$gnu_time" ]; then
        "$gnu_time" -o "$scratch/used" -f "%U %S %M" "$RANKLORE" "$@" >"$scratch/result" 2>"$scratch/log" || failed "$@"
        used=$(tail -n 1 "$scratch/used")
    else
        "$RANKLORE" "$@" >"$scratch/result" 2>"$scratch/log" || failed "$@"
        used='0 0 0'
    fi
    echo "$step $(($(now) - begin)) $used" >>"$scratch/times"
}

failed() {
    cat "$scratch/log" >&2
    echo "failed: ranklore $*" >&2
    exit 1
}

# Prints the first integer under a key of the JSON in $scratch/result.
number() {
    sed -n "s/.*\"$1\": *\([0-9][0-9]*\).*/\1/p" "$scratch/result" | sed -n 1p
}

round=1
while [ "$round" -le "$runs" ]; do
    echo "round $round of $runs" >&2
    rm -f "$scratch"/whole.sqlite*
    db=$scratch/whole.sqlite
    measure import import "$contests" --source whole --db "$db" --json
    results=$(number results)
    measure again import "$contests" --source whole --db "$db" --json
    [ "$(number added)" = 0 ] || failed 'import: the same again added contests'
    measure rate rate whole --db "$db" --json
    # The file holds one run and an empty log.
    bytes=$(cat "$db"* | wc -c)
    measure evaluate evaluate whole --db "$db" --json
    rm -rf "$scratch/dataset"
    measure export export whole --db "$db" --to "$scratch/dataset" --format parquet --with ratings --json
    round=$((round + 1))
done

"$RANKLORE" --version
if [ -z "$gnu_time" ]; then
    echo 'CPU time and peak memory: unknown, since GNU time is not installed as /usr/bin/time'
fi
# Sorted by step and time, so that the median of a step is its middle line.
sort -k1,1 -k2,2n "$scratch/times" | awk -v results="$results" -v bytes="$bytes" '
    {
        n = ++count[$1]
        seconds[$1, n] = $2 / 1000
        used[$1] += $3 + $4
        if ($5 > peak[$1]) peak[$1] = $5
    }
    function median(step,   n, half) {
        n = count[step]
        half = int((n + 1) / 2)
        return n % 2 ? seconds[step, half] : (seconds[step, half] + seconds[step, half + 1]) / 2
    }
    function row(step, name) {
        printf "%-16s %9.2f %9.2f %9.2f %12d", name, median(step), seconds[step, 1], seconds[step, count[step]], results / median(step)
        if (peak[step]) printf " %9.2f %9.0f", used[step] / count[step], peak[step] * 1024 / 1e6
        print ""
    }
    END {
        print results " results, " count["import"] " rounds"
        printf "%-16s %9s %9s %9s %12s", "", "median s", "fastest", "slowest", "results/s"
        if (peak["import"]) printf " %9s %9s", "cpu s", "peak MB"
        print ""
        row("import", "import")
        row("again", "import again")
        row("rate", "rate")
        row("evaluate", "evaluate")
        row("export", "export, Parquet")
        both = median("import") + median("rate")
        printf "import and rate together: %.2f s, %d results per second\n", both, results / both
        printf "database with one run: %d bytes, %.1f per result\n", bytes, bytes / results
    }
'
