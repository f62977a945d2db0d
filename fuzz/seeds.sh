#!/bin/sh
# Creates the seed corpus of every target from the fixtures: a first byte that selects the request or
# the options, then a file.
set -eu

here=$(cd -- "$(dirname -- "$0")" && pwd)
fixtures=$here/../fixtures
corpus=$here/corpus
mkdir -p "$corpus/games" "$corpus/records" "$corpus/atcoder" "$corpus/codeforces" "$corpus/contest_files" "$corpus/ctftime" \
    "$corpus/o2cm" "$corpus/racetime" "$corpus/reddit" "$corpus/topcoder"

# seed FIRST FILE TARGET adds a file after the byte FIRST.
seed() {
    { printf '%s' "$1" && cat "$2"; } >"$corpus/$3/$1-$(basename "$2")"
}

# The target requests contest abc901: answers about others are changed to it.
for file in "$fixtures"/atcoder/*.json; do
    case $(basename "$file") in
    contests.json) first=0 ;;
    results-*) first=1 ;;
    standings-*) first=2 ;;
    *) continue ;;
    esac
    sed -E 's/"[a-z0-9]+\.contest\.atcoder\.jp"/"abc901.contest.atcoder.jp"/' "$file" |
        { printf '%s' "$first" && cat; } >"$corpus/atcoder/$first-$(basename "$file")"
done

# The target requests contest 1001, so all responses are changed to that one.
for file in "$fixtures"/codeforces/*.json; do
    case $(basename "$file") in
    contest.list*) first=0 ;;
    contest.ratingChanges*) first=1 ;;
    contest.standings*) first=2 ;;
    user.ratedList*) first=3 ;;
    user.info*) first=4 ;;
    *) continue ;;
    esac
    if [ "$first" = 0 ]; then
        seed "$first" "$file" codeforces
    else
        sed -E 's/"(id|contestId)": *10[0-9][0-9]/"\1": 1001/' "$file" |
            { printf '%s' "$first" && cat; } >"$corpus/codeforces/$first-$(basename "$file")"
    fi
done

# Bits, from the lowest: table, dates given, month first, lower is better, a start, days.
for file in "$fixtures"/club/*.json "$fixtures"/import/*.json; do
    seed 0 "$file" contest_files
done
for file in "$fixtures"/import/*.csv "$fixtures"/import/*.tsv; do
    # 110001, 110011, 110111, 1001001, 1011011
    for first in 1 3 7 I '['; do
        seed "$first" "$file" contest_files
    done
done

# JSON, YAML, HTML, Parquet.
seed 0 "$fixtures/tables/ergast-results.json" records
seed 8 "$fixtures/tables/grand-prix 2024-05-26.yml" records
seed 9 "$fixtures/tables/club-export.xls" records
seed 2 "$fixtures/import/relay.parquet" records
printf '1{"contest":"Cup","date":"2024-03-01","place":1,"player":{"name":"Ada"}}\n' \
    >"$corpus/records/1-cup.jsonl"
cat >"$corpus/records/3-scoreboard.json" <<'JSON'
3{"contest":{"name":"Cup","start_time":"2024-03-01T10:00:00Z","duration":"5:00:00"},
"teams":[{"id":"1","name":"Gulls"}],
"scoreboard":{"state":{"ended":"x"},"rows":[{"rank":1,"team_id":"1","score":{"total_time":"1:00:00"}}]}}
JSON

# Bits, from the lowest: matches in place of PGN, FIDE ids ignored.
cat >"$corpus/games/0-club.pgn" <<'PGN'
0[Event "Club"]
[Site "https://club.example/games/7"]
[UTCDate "2024.05.17"]
[UTCTime "19:30:05"]
[Round "3.2"]
[White "Dov \"Ace\" Lind"]
[WhiteFideId "1001"]
[Black "Ada"]
[BlackFideId "1002"]
[Result "1/2-1/2"]
[Variant "Chess960"]

1. e4 {[%clk 0:01:00]
[White "x"] } e5 ; {
% {
2. Nf3 1/2-1/2

[Event "Club"]
[Date "2024.??.??"]
[White "Ada"]
[Black "Bea"]
[Result "*"]

*
PGN
seed 5 "$fixtures/games/cup-matches.txt" games
# The byte of HY-TEK files.
for file in "$fixtures"/swimming/*.hy3; do
    seed 9 "$file" games
done
cat >"$corpus/games/1-league.json" <<'JSON'
1{"name":"League","matches":[{"round":"Matchday 1","date":"2023-08-11","team1":"A","team2":"B",
"score":{"ft":[1,1],"et":[2,2],"p":[4,3]},"group":"A"}],"rounds":[{"name":"Final","matches":[
{"num":7,"date":"2023-08-12","team1":{"name":"A"},"team2":{"name":"B"},"score1":1,"score2":0}]}]}
JSON

for file in "$fixtures"/ctftime/*.json; do
    case $(basename "$file") in
    results*) first=0 ;;
    events*) first=1 ;;
    teams*) first=2 ;;
    team-*) first=3 ;;
    *) continue ;;
    esac
    seed "$first" "$file" ctftime
done

# The target requests one month and competition: pages of others are rejected early.
for file in "$fixtures"/o2cm/*.html; do
    case $(basename "$file") in
    default.html) first=0 ;;
    default-*) first=1 ;;
    event3-*) first=2 ;;
    *) continue ;;
    esac
    seed "$first" "$file" o2cm
done

# The target requests one round and its first division.
for file in "$fixtures"/topcoder/*; do
    case $(basename "$file") in
    dd_round_list.xml) first=0 ;;
    dd_round_results-*) first=1 ;;
    MatchList.html) first=2 ;;
    round_stats-9601-1.html) first=3 ;;
    *) continue ;;
    esac
    seed "$first" "$file" topcoder
done
for file in "$fixtures"/racetime/*.json; do
    case $(basename "$file") in
    races-page-2.json) first=1 ;;
    *) first=0 ;;
    esac
    seed "$first" "$file" racetime
done
for file in "$fixtures"/reddit/*; do
    case $(basename "$file") in
    r-*-top*) first=0 ;;
    comments-*-below-*) first=2 ;;
    comments-*) first=1 ;;
    morechildren-*) first=3 ;;
    *.ndjson) first=4 ;;
    *) continue ;;
    esac
    seed "$first" "$file" reddit
done
