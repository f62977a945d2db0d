#!/bin/sh
# Replays the same folder of contest files through every program below, in turn, several times, and
# prints the median of each and its ratio to the first.
#
#     ./compare.sh FOLDER
#
# RUNS     rounds of measurement (5)
# SYSTEMS  systems of the peer (mmr-fast); mmr takes minutes per run
# OURS     the system of Ranklore to compare with (elo-mmr); elo-mmx for mmx
# THREADS  worker threads of each program (0: every core)
#
# Needs cargo, a C compiler, pkg-config and the headers of OpenSSL.
set -eu

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    echo "usage: $0 FOLDER    (a folder of contest files, *.json)" >&2
    exit 2
fi
folder=$(cd -- "$1" && pwd)
here=$(cd -- "$(dirname -- "$0")" && pwd)
runs=${RUNS:-5}
threads=${THREADS:-0}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# Prints the target folder of the manifest $1 under the current configuration.
target_of() {
    cargo metadata --no-deps --format-version 1 --manifest-path "$1" |
        sed 's/.*"target_directory":"\([^"]*\)".*/\1/'
}

# --- The programs: name, build command, run command. --------------------------------------
# A program prints one line of JSON with the keys contests, results, threads and seconds (only the
# replay). The first of the list is the reference for the others.

programs="ranklore:${OURS:-elo-mmr}"
for system in ${SYSTEMS:-mmr-fast}; do
    programs="$programs multi-skill:$system"
done

# Ranklore's replay benchmark, with the peer's constants (see README.md).
ranklore() {
    cargo bench --locked --manifest-path "$here/../Cargo.toml" -p ranklore-rating --bench replay "$@"
}

build() {
    ranklore --no-run
    cargo build --release --locked --manifest-path "$here/Cargo.toml"
    peer=$(target_of "$here/Cargo.toml")/release/multi-skill-peer
}

run() {
    case $1 in
    ranklore:*) ranklore -- "$folder" "${1#ranklore:}" "$threads" --as-multi-skill --json ;;
    multi-skill:*) "$peer" "$folder" --system "${1#multi-skill:}" --threads "$threads" ;;
    *) echo "no program $1" >&2 && return 2 ;;
    esac
}

# ------------------------------------------------------------------------------------------

build >&2

round=1
while [ "$round" -le "$runs" ]; do
    for program in $programs; do
        echo "round $round of $runs: $program" >&2
        run "$program" >"$scratch/line" 2>"$scratch/log" || {
            cat "$scratch/log" >&2
            echo "$program failed" >&2
            exit 1
        }
        # The numbers of these keys, in the order of the table's columns.
        for key in contests results threads seconds; do
            sed -n "s/.*\"$key\": *\([0-9.eE+-]*\).*/\1/p" "$scratch/line"
        done | tr '\n' ' ' >"$scratch/fields"
        printf '%s %s\n' "$program" "$(cat "$scratch/fields")" >>"$scratch/times"
    done
    round=$((round + 1))
done

# Sorted by name and seconds, so that the median of a program is its middle line.
sort -k1,1 -k5,5n "$scratch/times" | awk -v programs="$programs" '
    NF != 5 { print "a program printed no usable line: " $0 > "/dev/stderr"; failed = 1; exit }
    {
        n = ++count[$1]
        seconds[$1, n] = $5
        threads[$1] = $4
        if (work == "") work = $2 " contests, " $3 " results"
        if (work != $2 " contests, " $3 " results") {
            print $1 " replayed something else: " $2 " contests, " $3 " results; not " work > "/dev/stderr"
            failed = 1
            exit
        }
    }
    function median(name,   n, half) {
        n = count[name]
        half = int((n + 1) / 2)
        return n % 2 ? seconds[name, half] : (seconds[name, half] + seconds[name, half + 1]) / 2
    }
    END {
        if (failed) exit 1
        names = split(programs, name, " ")
        print work
        printf "%-28s %7s %5s %10s %10s %10s %8s\n", "program", "threads", "runs", "median s", "fastest s", "slowest s", "ratio"
        for (i = 1; i <= names; i++) {
            p = name[i]
            printf "%-28s %7d %5d %10.3f %10.3f %10.3f %8.2f\n", p, threads[p], count[p], median(p), seconds[p, 1], seconds[p, count[p]], median(p) / median(name[1])
        }
    }
'
