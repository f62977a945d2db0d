#!/bin/sh
# Replays a synthetic history of games of two through Ranklore, the crate skillratings and Python
# packages, in turn, several times. Prints the median time of each, and the differences of its final
# ratings to those of the first program with the same setting.
#
#     ./games.sh
#
# RUNS      rounds of measurement (5)
# GAMES     number of games (200000)
# PLAYERS   number of players (7676)
# SEED      seed of the history (1)
# PROGRAMS  settings, each with a program (elo:ranklore elo:skillratings ...)
#
# Needs cargo and Python 3.11 or newer with venv. Installs the packages of games-requirements.txt
# into a virtual environment in the target folder.
set -eu

here=$(cd -- "$(dirname -- "$0")" && pwd)
runs=${RUNS:-5}
programs=${PROGRAMS:-
    elo:ranklore elo:skillratings elo:riix elo:evalica
    elo-days:ranklore elo-days:skillratings elo-days:riix-batched
    glicko:ranklore glicko:skillratings glicko:riix
    glicko-growth:ranklore glicko-growth:skillratings glicko-growth:skillratings-grown
    glicko-days:ranklore glicko-days:skillratings glicko-days:skillratings-grown glicko-days:riix
    glicko-days:riix-batched glicko-days:riix-batched-bound
    glicko2:ranklore glicko2:skillratings glicko2:skillratings-exact
    glicko2-days:ranklore glicko2-days:skillratings glicko2-days:skillratings-exact
    glicko2-days:riix glicko2-days:riix-batched glicko2-days:riix-batched-exact
    trueskill:ranklore trueskill:skillratings trueskill:trueskill trueskill:trueskill-exact
    trueskill-static:ranklore trueskill-static:riix trueskill-static:riix-draws
    weng-lin:openskill weng-lin:openskill-bt weng-lin:skillratings weng-lin:riix}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

target=$(cargo metadata --no-deps --format-version 1 --manifest-path "$here/Cargo.toml" |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
cargo build --release --locked --manifest-path "$here/Cargo.toml" --package ranklore-bench-games >&2
games=$target/release/games
venv=$target/games-venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --no-deps --requirement "$here/games-requirements.txt" >&2

history=$scratch/games.csv
"$games" generate "$history" --games "${GAMES:-200000}" --players "${PLAYERS:-7676}" --seed "${SEED:-1}"

# Runs the program $2 with the setting $1. It prints one line of JSON: time and final ratings.
run() {
    case $2 in
    ranklore | skillratings*) "$games" replay "$history" "$1" "$2" ;;
    *) "$venv/bin/python" "$here/games.py" replay "$history" "$1" "$2" ;;
    esac
}

round=1
while [ "$round" -le "$runs" ]; do
    for program in $programs; do
        echo "round $round of $runs: $program" >&2
        run "${program%%:*}" "${program#*:}" >>"$scratch/$program.jsonl" 2>"$scratch/log" || {
            cat "$scratch/log" >&2
            echo "$program failed" >&2
            exit 1
        }
    done
    round=$((round + 1))
done
echo "$programs" >"$scratch/order.txt"
"$venv/bin/python" "$here/games.py" compare "$scratch"
