#!/bin/sh
# Measures the first page of the views of a rated source, each beside `sqlite3` doing the same query.
# Prints medians of the milliseconds, with the start of the process, and their ratio.
#
#     benches/views.sh FILE [SOURCE]      (a database; by default its source with the most results)
#
# RUNS      measurements of each command (11)
# AS_OF     date of the leaderboard as of a date (the middle of the time of the source)
# RANKLORE  the binary (built with `cargo build --release` unless given)
#
# The file is only read. Needs sqlite3 3.38 or later. Other load on the machine increases the
# milliseconds: look at the fastest too.
set -eu

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -f "$1" ]; then
    echo "usage: $0 FILE [SOURCE]    (a database)" >&2
    exit 2
fi
db=$1
root=$(cd -- "$(dirname -- "$0")/.." && pwd)
runs=${RUNS:-11}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

if [ -z "${RANKLORE:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml" -p ranklore >&2
    target=$(cargo metadata --no-deps --format-version 1 --manifest-path "$root/Cargo.toml" |
        sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    RANKLORE=$target/release/ranklore
fi

# Prints a value of the database.
value() {
    sqlite3 -readonly "$db" "$1"
}

quote() {
    printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"
}

source=${2:-$(value "SELECT source.name FROM source JOIN contest USING (source_id)
    WHERE removed_at IS NULL GROUP BY source_id ORDER BY sum(entrants) DESC LIMIT 1")}
source_id=$(value "SELECT source_id FROM source WHERE name = $(quote "$source")")
run=$(value "SELECT max(run_id) FROM rating_run WHERE competitors > 0
    AND selection -> '$.sources' = json_array($(quote "$source"))")
if [ -z "$run" ]; then
    echo "$db: no run with current ratings over $source alone; run \`ranklore rate $source\`" >&2
    exit 2
fi
newest=$(value "SELECT max(last_contest_at) FROM current_rating WHERE run_id = $run")
as_of=${AS_OF:-$(value "SELECT date((min(ends_at) + max(ends_at)) / 2, 'unixepoch')
    FROM contest WHERE source_id = $source_id AND rated")}
# The best of the active, with many contests; and the newest rated contest.
active="last_contest_at >= $newest - 15552000"
player=$(value "SELECT competitor_id FROM current_rating WHERE run_id = $run AND $active
    ORDER BY contests DESC, competitor_id LIMIT 1")
name=$(value "SELECT external_id FROM competitor WHERE competitor_id = $player")
contest=$(value "SELECT contest_id FROM run_contest WHERE run_id = $run AND results > 0
    ORDER BY position DESC LIMIT 1")
contest_name=$(value "SELECT external_id FROM contest WHERE contest_id = $contest")

# Days before the newest contest, and a name.
spans="10:ten_days 31:month 366:year 40000:all"

page="SELECT row_number() OVER (), name, mu, sigma, contests, change, peak_mu, last_contest_at
    FROM current_rating JOIN competitor USING (competitor_id) WHERE run_id = $run"

cat >"$scratch/leaderboard.sql" <<SQL
$page AND $active ORDER BY mu - 3 * sigma DESC LIMIT 25;
SQL
cat >"$scratch/players.sql" <<SQL
$page ORDER BY name LIMIT 25;
SQL
# A text that some names contain: the middle of the name of the player.
text=$(value "SELECT substr(name, 2, 3) FROM competitor WHERE competitor_id = $player")
cat >"$scratch/players_text.sql" <<SQL
$page AND instr(lower(name), lower($(quote "$text"))) ORDER BY mu - 3 * sigma DESC LIMIT 25;
SQL
cat >"$scratch/player.sql" <<SQL
$page AND competitor_id = $player;
SELECT count(*) FROM current_rating WHERE run_id = $run AND $active AND mu - 3 * sigma >
    (SELECT mu - 3 * sigma FROM current_rating WHERE run_id = $run AND competitor_id = $player);
SELECT contest.name, ends_at, place, mu, sigma, performance
    FROM standing JOIN contest USING (contest_id)
    LEFT JOIN rating ON run_id = $run AND rating.contest_id = contest.contest_id
        AND rating.competitor_id = standing.competitor_id
    WHERE standing.competitor_id = $player ORDER BY ends_at DESC;
SQL
cat >"$scratch/contest.sql" <<SQL
SELECT place, name, mu, sigma, performance FROM standing JOIN competitor USING (competitor_id)
    LEFT JOIN rating ON run_id = $run AND rating.contest_id = standing.contest_id
        AND rating.competitor_id = standing.competitor_id
    WHERE standing.contest_id = $contest ORDER BY place IS NULL, place LIMIT 25;
SQL
cat >"$scratch/contests.sql" <<SQL
SELECT contest.name, ends_at, entrants, state FROM contest WHERE source_id = $source_id
    ORDER BY ends_at DESC LIMIT 25;
SQL
# The rating at a time is that after the last contest before it.
for span in $spans; do
    start=$((newest - ${span%:*} * 86400))
    before="(SELECT mu FROM standing JOIN contest USING (contest_id)
            JOIN rating ON run_id = $run AND rating.contest_id = contest.contest_id
                AND rating.competitor_id = standing.competitor_id
            WHERE standing.competitor_id = now.competitor_id AND ends_at < $start
            ORDER BY ends_at DESC LIMIT 1)"
    cat >"$scratch/movers_${span#*:}.sql" <<SQL
SELECT name, mu, mu - $before AS gain
    FROM current_rating AS now JOIN competitor USING (competitor_id)
    WHERE run_id = $run AND last_contest_at >= $start ORDER BY abs(gain) DESC LIMIT 25;
SQL
done
# A month in the middle of the time of the source.
past_until=$(value "SELECT date('$as_of', '31 days')")
cat >"$scratch/movers_past.sql" <<SQL
WITH row AS MATERIALIZED (SELECT competitor_id, mu, position, ends_at
    FROM run_contest CROSS JOIN contest USING (contest_id) CROSS JOIN rating USING (run_id, contest_id)
    WHERE run_id = $run AND ends_at < unixepoch('$past_until'))
SELECT name, inside.mu, inside.mu - before.mu AS gain
    FROM (SELECT competitor_id, mu, max(position) FROM row
        WHERE ends_at >= unixepoch('$as_of') GROUP BY competitor_id) AS inside
    LEFT JOIN (SELECT competitor_id, mu, max(position) FROM row
        WHERE ends_at < unixepoch('$as_of') GROUP BY competitor_id) AS before USING (competitor_id)
    JOIN competitor USING (competitor_id) ORDER BY abs(gain) DESC LIMIT 25;
SQL
cat >"$scratch/as_of.sql" <<SQL
SELECT name, mu, sigma FROM (SELECT competitor_id, mu, sigma, max(position)
    FROM rating JOIN run_contest USING (run_id, contest_id) JOIN contest USING (contest_id)
    WHERE run_id = $run AND ends_at < unixepoch('$as_of') GROUP BY competitor_id)
    JOIN competitor USING (competitor_id) ORDER BY mu - 3 * sigma DESC LIMIT 25;
SQL

# Milliseconds since 1970, with three decimals; whole seconds if `date` has no nanoseconds.
now() {
    stamp=$(date +%s%N)
    case $stamp in
    *[!0-9]*) echo "$(date +%s)000.000" ;;
    *) echo "${stamp%??????}.$(echo "$stamp" | sed 's/.*\(...\)...$/\1/')" ;;
    esac
}

# Runs a command and appends a name, who ran, and the begin and the end to $scratch/times.
measure() {
    step=$1
    who=$2
    shift 2
    begin=$(now)
    "$@" >"$scratch/result" 2>"$scratch/log" || {
        cat "$scratch/log" >&2
        echo "failed: $*" >&2
        exit 1
    }
    echo "$step $who $begin $(now)" >>"$scratch/times"
}

# Measures a view: its name, then the command. A view that this version does not have is left out.
view() {
    step=$1
    shift
    "$RANKLORE" help "$1" >/dev/null 2>&1 || return 0
    echo "$step" >>"$scratch/steps"
    measure "$step" ranklore "$RANKLORE" "$@" --db "$db"
    measure "$step" sqlite3 sqlite3 -readonly "$db" ".read $scratch/$step.sql"
}

round=1
while [ "$round" -le "$runs" ]; do
    echo "round $round of $runs" >&2
    view leaderboard leaderboard "$source" --run "$run"
    view players players "$source" --limit 25
    view players_text players "$source" "$text" --run "$run" --limit 25
    view player player "$source" "$name" --run "$run"
    view contest contest "$source" "$contest_name" --run "$run"
    view contests contests "$source" --limit 25
    for span in $spans; do
        since=$(value "SELECT date($newest - ${span%:*} * 86400, 'unixepoch')")
        view "movers_${span#*:}" movers "$source" --run "$run" --since "$since"
    done
    view movers_past movers "$source" --run "$run" --since "$as_of" --until "$past_until"
    view as_of leaderboard "$source" --run "$run" --as-of "$as_of"
    round=$((round + 1))
done

"$RANKLORE" --version
value "SELECT 'source ' || $(quote "$source") || ', run ' || run_id || ' (' || system || '): '
    || contests || ' contests, ' || results || ' results, ' || competitors || ' competitors'
    FROM rating_run WHERE run_id = $run"
# Sorted by view, program and time, so that the median is the middle line.
awk '{ printf "%s %s %.3f\n", $1, $2, $4 - $3 }' "$scratch/times" | sort -k1,2 -k3,3n | awk '
    { milliseconds[$1, $2, ++count[$1, $2]] = $3 }
    function median(step, who,   n, half) {
        n = count[step, who]
        half = int((n + 1) / 2)
        return n % 2 ? milliseconds[step, who, half] : (milliseconds[step, who, half] + milliseconds[step, who, half + 1]) / 2
    }
    function row(step, name) {
        if (!count[step, "ranklore"]) return
        ours = median(step, "ranklore")
        theirs = median(step, "sqlite3")
        printf "%-24s %11.1f %9.1f %11.1f %7.2f\n", name, ours, milliseconds[step, "ranklore", 1], theirs, ours / theirs
    }
    END {
        printf "%-24s %11s %9s %11s %7s\n", "milliseconds", "ranklore", "fastest", "sqlite3", "ratio"
        row("leaderboard", "leaderboard")
        row("players", "players")
        row("players_text", "players TEXT")
        row("player", "player")
        row("contest", "contest")
        row("contests", "contests")
        row("movers_ten_days", "movers, 10 days")
        row("movers_month", "movers, a month")
        row("movers_year", "movers, a year")
        row("movers_all", "movers, all time")
        row("movers_past", "movers, a past month")
        row("as_of", "leaderboard --as-of")
    }
'
