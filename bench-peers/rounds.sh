#!/bin/sh
# Replays many synthetic rounds of few entrants through every system that both programs have, and
# prints the time per round: the speed for small contests.
#
#     ./rounds.sh
#
# ENTRANTS entrants per round (50)
# ROUNDS   number of rounds (2000)
# PAIRS    systems of Ranklore, each with its peer (elo-mmr:mmr elo-mmr:mmr-fast codeforces:cf ...)
#
# RUNS and THREADS have the same meaning as in compare.sh, which measures.
set -eu

here=$(cd -- "$(dirname -- "$0")" && pwd)
entrants=${ENTRANTS:-50}
rounds=${ROUNDS:-2000}
pairs=${PAIRS:-elo-mmr:mmr elo-mmr:mmr-fast elo-mmx:mmx codeforces:cf topcoder:tc glicko:glicko bar:bar trueskill-spb:ts}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# A week apart, each with a third of all competitors, placed by skill and some chance; one in ten is
# tied with the entrant ahead.
awk -v entrants="$entrants" -v rounds="$rounds" -v folder="$folder" '
    # Integers below 2^53: the minimal standard generator of Park and Miller.
    function below(bound) { state = state * 16807 % 2147483647; return state % bound }
    function bell(   sum, i) { for (i = 0; i < 12; i++) sum += below(10000) / 10000; return sum - 6 }
    BEGIN {
        state = 20261
        all = 3 * entrants
        for (i = 0; i < all; i++) { who[i] = i; skill[i] = 350 * bell() }
        for (round = 0; round < rounds; round++) {
            for (i = 0; i < entrants; i++) {
                other = i + below(all - i)
                drawn = who[other]; who[other] = who[i]; who[i] = drawn
                result = skill[drawn] + 200 * bell()
                for (at = i; at > 0 && results[at - 1] < result; at--) {
                    results[at] = results[at - 1]; order[at] = order[at - 1]
                }
                results[at] = result; order[at] = drawn
            }
            file = sprintf("%s/%d.json", folder, round + 1)
            printf "{\"name\":\"Round %d\",\"url\":null,\"weight\":1.0,\"time_seconds\":%d,\"standings\":[", round + 1, 1600000000 + 604800 * round > file
            for (first = 0; first < entrants; first = last + 1) {
                last = first
                while (last + 1 < entrants && below(10) == 0) last++
                for (i = first; i <= last; i++) {
                    printf "%s[\"c%d\",%d,%d]", i ? "," : "", order[i], first, last > file
                }
            }
            print "]}" > file
            close(file)
        }
    }
'

printf '%-16s %-16s %14s %14s %8s\n' ranklore multi-skill "ms a round" "ms a round" ratio
for pair in $pairs; do
    ours=${pair%%:*}
    peer=${pair#*:}
    OURS=$ours SYSTEMS=$peer "$here/compare.sh" "$folder" >"$folder/table" 2>"$folder/log" || {
        cat "$folder/log" >&2
        exit 1
    }
    awk -v ours="$ours" -v peer="$peer" -v rounds="$rounds" '
        $1 == "ranklore:" ours { us = $4 }
        $1 == "multi-skill:" peer { them = $4 }
        END { printf "%-16s %-16s %14.4f %14.4f %8.2f\n", ours, peer, 1000 * us / rounds, 1000 * them / rounds, them / us }
    ' "$folder/table"
done
