#!/bin/sh
# Measures how long visitors of `ranklore serve` wait while one client floods it, from the same
# address: slow headers, idle connections, kept connections, records of any length, leaderboards at
# any time.
#
#     benches/floods.sh [TABLE]
#
# TABLE     contests to import (a league of 3,000 people unless given)
# SECONDS_  the time of each measurement (10)
# RANKLORE, LOAD, FLOOD  the binaries (built with `cargo build --release` unless given)
#
# Prints the times of 100 visits a second, and the memory of the server: with 10,000 idle
# connections, and a minute after the last flood.
set -eu
ulimit -n "$(ulimit -H -n)"

root=$(cd -- "$(dirname -- "$0")/.." && pwd)
seconds=${SECONDS_:-10}
scratch=$(mktemp -d)
server=
flood=
stop() {
    # shellcheck disable=SC2086
    kill $server $flood 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap stop EXIT
trap 'exit 130' INT TERM

table=${1:+$(cd "$(dirname "$1")" && pwd)/$(basename "$1")}
target=$(cargo metadata --no-deps --format-version 1 --manifest-path "$root/Cargo.toml" |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
if [ -z "${RANKLORE:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" -p ranklore >&2
fi
if [ -z "${LOAD:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" -p ranklore-web --examples >&2
fi
RANKLORE=${RANKLORE:-$target/release/ranklore}
LOAD=${LOAD:-$target/release/examples/load}
FLOOD=${FLOOD:-$target/release/examples/flood}
cd "$scratch"

if [ -z "$table" ]; then
    table=league.csv
    awk 'BEGIN {
        srand(1)
        print "date,place,player"
        for (contest = 0; contest < 60; contest++)
            for (place = 1; place <= 500; place++)
                print strftime("%Y-%m-%d", 1500000000 + contest * 604800, 1) "," place ",p" \
                    int((place - 1) * 6 + rand() * 6)
    }' >league.csv
fi
"$RANKLORE" -q import "$table" --source bench >/dev/null
"$RANKLORE" -q rate bench >/dev/null
"$RANKLORE" serve --listen 127.0.0.1:0 >address &
server=$!
while ! grep -q http address; do sleep 0.1; done
address=$(sed 's|.*http://\([^/]*\)/.*|\1|' address)

{
    printf '/\n/leaderboard?source=bench\n/players/bench\n/contests/bench\n'
    for offset in 50 100 500 1000; do echo "/leaderboard?source=bench&offset=$offset"; done
    sqlite3 -readonly ranklore.sqlite "SELECT '/player/bench/' || replace(external_id, ' ', '%20')
        FROM competitor ORDER BY random() LIMIT 50"
} >paths
memory() { awk -v what="$1" '/^VmRSS/ { printf "    memory %s: %.0f MB\n", what, $2 / 1024 }' "/proc/$server/status"; }
measure() {
    printf '%s: ' "$1"
    "$LOAD" "$address" paths 100 "$seconds"
}

measure 'no flood'
flood() {
    "$FLOOD" "$address" "$2" "$3" 2>/dev/null &
    flood=$!
    sleep 2
    measure "$1"
    memory meanwhile
    kill "$flood"
    wait "$flood" 2>/dev/null || true
    flood=
}
flood '300 slow headers' headers 300
flood '2,000 idle connections' idle 2000
flood '10,000 idle connections' idle 10000
flood '300 kept connections' kept 300
flood '20 clients, records of any length' records 20
flood '150 clients, records of any length' records 150
flood '150 clients, leaderboards at any time' times 150
sleep 60
memory 'a minute later'
