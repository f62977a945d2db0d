#!/bin/sh
# Measures `ranklore site`: writes the site of a rated source into an empty folder, and again into the
# same one. Prints files, megabytes, files a second and processor time of both.
#
#     benches/site.sh FILE SOURCE [PLAYERS]      (a database; all competitors)
#
# RUNS      rounds of measurement (3)
# TMPDIR    where the site is written: about 20 to 80 KB for each page
# RANKLORE  the binary (built with `cargo build --release` unless given)
#
# The file is only read. Needs GNU time (Debian: apt-get install time).
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ] || [ ! -f "$1" ]; then
    echo "usage: $0 FILE SOURCE [PLAYERS]    (a database)" >&2
    exit 2
fi
db=$1
source=$2
players=${3:-}
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
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

# Writes the site. Appends to $scratch/times the name of the step, seconds, seconds of processor time
# and peak kilobytes.
measure() {
    /usr/bin/time -o "$scratch/used" -f '%e %U %S %M' "$RANKLORE" -q site "$source" --db "$db" \
        --to "$scratch/site" ${players:+--players "$players"} >/dev/null
    echo "$1 $(tail -n 1 "$scratch/used")" >>"$scratch/times"
}

for round in $(seq "${RUNS:-3}"); do
    echo "round $round" >&2
    rm -rf "$scratch/site"
    measure new
    measure again
done

files=$(find "$scratch/site" -type f | wc -l)
megabytes=$(find "$scratch/site" -type f -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1e6) }')
echo "$files files, $megabytes MB"
printf '%-8s %8s %10s %14s %8s\n' '' seconds 'cpu s' 'files a second' 'peak MB'
for step in new again; do
    # The median of the rounds.
    grep "^$step " "$scratch/times" | sort -n -k 2,2 |
        awk -v files="$files" '{ line[NR] = $0 } END {
            split(line[int((NR + 1) / 2)], of, " ")
            printf "%-8s %8.2f %10.2f %14d %8d\n", of[1], of[2], of[3] + of[4], files / of[2], of[5] / 1024
        }'
done
