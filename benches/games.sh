#!/bin/sh
# Imports a synthetic table of games of two, rates it by several systems, adds one game and rates
# again. Prints the CPU microseconds per game, bytes per result and peak memory.
#
#     benches/games.sh [GAMES [PLAYERS]]      (200000 games of 7676 players)
#
# RUNS      rounds of measurement (3)
# SYSTEMS   systems to rate by (elo glicko glicko2 trueskill)
# RANKLORE  the binary (built with `cargo build --release` unless given)
#
# Needs GNU time (Debian: apt-get install time). The table is the same on every machine: players are
# drawn with a few much more often than most, the stronger of two wins more often, and White has an
# advantage.
set -eu

games=${1:-200000}
players=${2:-7676}
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
runs=${RUNS:-3}
systems=${SYSTEMS:-elo glicko glicko2 trueskill}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

if [ -z "${RANKLORE:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" -p ranklore >&2
    target=$(cargo metadata --no-deps --format-version 1 --manifest-path "$root/Cargo.toml" |
        sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    RANKLORE=$target/release/ranklore
fi
if ! /usr/bin/time -f %M true 2>/dev/null; then
    echo 'GNU time is missing' >&2
    exit 1
fi

awk -v games="$games" -v players="$players" '
    # A generator of Lehmer: exact in double precision.
    function draw() {
        state = (state * 16807) % 2147483647
        return state / 2147483647
    }
    function player() {
        return int(players * draw() * draw())
    }
    BEGIN {
        state = 42
        for (p = 0; p < players; p++) skill[p] = 400 * (draw() + draw() + draw() - 1.5)
        print "date,white,black,result"
        for (g = 0; g < games; g++) {
            white = player()
            do black = player(); while (black == white)
            expected = 1 / (1 + 10 ^ ((skill[black] - skill[white] - 35) / 400))
            draws = 0.5 * (expected < 0.5 ? expected : 1 - expected)
            luck = draw()
            result = luck < expected - draws / 2 ? "1-0" : luck < expected + draws / 2 ? "1/2-1/2" : "0-1"
            day = int(g * 3360 / games)
            printf "%d-%02d-%02d,Player %d,Player %d,%s\n", 2010 + int(day / 336), \
                int(day / 28) % 12 + 1, day % 28 + 1, white, black, result
        }
    }' >"$scratch/games.csv"
printf 'date,white,black,result\n2030-01-01,Player 1,Player 2,1-0\n' >"$scratch/one.csv"

# Runs a command of ranklore. Appends to $scratch/times the name of the step, CPU seconds and peak
# kilobytes.
measure() {
    step=$1
    shift
    /usr/bin/time -o "$scratch/used" -f '%U %S %M' "$RANKLORE" "$@" --db "$scratch/games.sqlite" \
        --json >"$scratch/result" 2>"$scratch/log" || {
        cat "$scratch/log" >&2
        exit 1
    }
    echo "$step $(tail -n 1 "$scratch/used")" >>"$scratch/times"
}

round=1
while [ "$round" -le "$runs" ]; do
    echo "round $round of $runs" >&2
    rm -f "$scratch"/games.sqlite*
    measure import import "$scratch/games.csv" --source games
    bytes=0
    for system in $systems; do
        measure "$system" rate games --system "$system"
        # The file holds one run and an empty log.
        if [ "$bytes" = 0 ]; then bytes=$(cat "$scratch"/games.sqlite* | wc -c); fi
    done
    measure import-one import "$scratch/one.csv" --source games
    for system in $systems; do
        measure "$system-one" rate games --system "$system"
    done
    measure check check
    rm -rf "$scratch/dataset"
    measure export export games --to "$scratch/dataset" --format parquet
    round=$((round + 1))
done

"$RANKLORE" --version
# Sorted by step and time, so that the median of a step is its middle line.
awk '{ print $1, $2 + $3, $4 }' "$scratch/times" | sort -k1,1 -k2,2n |
    awk -v games="$games" -v bytes="$bytes" -v steps="import $systems import-one $(
        for system in $systems; do printf '%s-one ' "$system"; done
    ) check export" '
    {
        n = ++count[$1]
        seconds[$1, n] = $2
        if ($3 > peak[$1]) peak[$1] = $3
    }
    END {
        printf "%d games, %.1f bytes per result with one run\n", games, bytes / games / 2
        printf "%-16s %12s %12s %9s\n", "", "cpu s", "us per game", "peak MB"
        many = split(steps, step, " ")
        for (i = 1; i <= many; i++) {
            name = step[i]
            median = seconds[name, int((count[name] + 1) / 2)]
            printf "%-16s %12.2f", name, median
            if (name ~ /-one$/) printf " %12s", ""
            else printf " %12.2f", median * 1e6 / games
            printf " %9.0f\n", peak[name] * 1024 / 1e6
        }
    }
'
