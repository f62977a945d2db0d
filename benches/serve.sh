#!/bin/sh
# Measures `ranklore serve` with leaderboards, competitors and contests of many competitors: alone,
# while another process rates all contests, and while one imports contests and rates them.
#
#     benches/serve.sh [COMPETITORS]      (280,000)
#
# RATE      requests a second (1,000)
# SECONDS_  the time of each measurement (20)
# RANKLORE  the binary (built with `cargo build --release` unless given)
# LOAD      the generator of requests, an example of ranklore-web (built unless given)
#
# Prints the answers and their times without and with each writer, the processor time of the server
# for a request, and its memory. Needs awk and sqlite3. The generator of requests uses processor
# time too.
set -eu

root=$(cd -- "$(dirname -- "$0")/.." && pwd)
competitors=${1:-280000}
rate=${RATE:-1000}
seconds=${SECONDS_:-20}
scratch=$(mktemp -d)
server=
writer=
stop() {
    # shellcheck disable=SC2086
    kill $server $writer 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap stop EXIT
trap 'exit 130' INT TERM

target=$(cargo metadata --no-deps --format-version 1 --manifest-path "$root/Cargo.toml" |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
if [ -z "${RANKLORE:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" -p ranklore >&2
    RANKLORE=$target/release/ranklore
fi
load=${LOAD:-}
if [ -z "$load" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" -p ranklore-web --example load >&2
    load=$target/release/examples/load
fi
cd "$scratch"

# Writes contest files of 3,000 entrants each. Skills differ, and few have many contests.
write_contests() {
    awk -v first="$1" -v last="$2" -v all="$competitors" 'BEGIN {
        srand(first)
        for (contest = first; contest <= last; contest++) {
            file = "contest-" contest ".csv"
            print "place,player" >file
            split("", seen)
            place = 1
            while (place <= 3000) {
                u = rand()
                who = int(all * u * u)
                if (who in seen) continue
                seen[who]
                print place ",p" who >file
                place++
            }
            close(file)
        }
    }'
}

contests=$((competitors / 900 + 1))
write_contests 1 "$contests"
echo "importing $contests contests of 3,000 entrants" >&2
for contest in $(seq 1 "$contests"); do
    mkdir -p all
    day=$(awk -v day="$contest" 'BEGIN { print strftime("%Y-%m-%d", 1500000000 + day * 86400, 1) }')
    mv "contest-$contest.csv" "all/$day.csv"
done
"$RANKLORE" -q import all --source bench >/dev/null
"$RANKLORE" -q rate bench >/dev/null

"$RANKLORE" serve --listen 127.0.0.1:0 >address &
server=$!
while ! grep -q http address; do sleep 0.1; done
address=$(sed 's|.*http://\([^/]*\)/.*|\1|' address)

{
    for offset in 0 50 100 500 1000 5000 20000; do
        echo "/leaderboard?source=bench&offset=$offset"
    done
    sqlite3 -readonly ranklore.sqlite "SELECT '/contest/bench/' || replace(external_id, ' ', '%20')
        FROM contest ORDER BY random() LIMIT 7"
    sqlite3 -readonly ranklore.sqlite "SELECT '/player/bench/' || external_id FROM competitor
        ORDER BY random() LIMIT 2000"
} >paths
# A third of the requests each.
awk '/leaderboard/ { for (i = 0; i < 286; i++) print; next }
    /contest/ { for (i = 0; i < 286; i++) print; next }
    { print }' paths >mixed

ticks() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }
measure() {
    before=$(ticks)
    printf '%s: ' "$1"
    "$load" "$address" "$2" "$rate" "$seconds"
    after=$(ticks)
    awk -v ticks="$((after - before))" -v hertz="$(getconf CLK_TCK)" -v requests="$((rate * seconds))" \
        'BEGIN { printf "    %.2f ms of processor time a request\n", 1000 * ticks / hertz / requests }'
}

for kind in leaderboard player contest; do
    grep "^/$kind" mixed >"$kind"
    measure "$kind" "$kind"
done
memory() { sed -n 's/^VmHWM: */    memory of the server: /p' "/proc/$server/status"; }

measure 'all, nobody writes' mixed
memory

# Rates all contests, by other parameters each time.
touch rating
(
    limit=200
    while [ -e rating ]; do
        limit=$((limit + 1))
        "$RANKLORE" -q rate bench --system "elo-mmr:weight_limit=0.$limit" >/dev/null
    done
) &
writer=$!
measure 'all, while a writer rates' mixed
memory
rm rating
wait "$writer"

# Adds contests, with a second between them.
(
    contest=$contests
    while :; do
        contest=$((contest + 1))
        write_contests "$contest" "$contest"
        day=$(awk -v day="$contest" 'BEGIN { print strftime("%Y-%m-%d", 1500000000 + day * 86400, 1) }')
        mv "contest-$contest.csv" "$day.csv"
        "$RANKLORE" -q import "$day.csv" --source bench >/dev/null
        "$RANKLORE" -q rate bench >/dev/null
        sleep 1
    done
) &
writer=$!
measure 'all, while contests are imported and rated' mixed
memory
