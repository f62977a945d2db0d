"""Tables in and out: every type is read correctly, or refused by column and row."""

import datetime as dt
import decimal
import math
import warnings
from typing import Any

import numpy as np
import pytest
import ranklore

pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

RESULTS: dict[str, list[Any]] = {
    "contest": ["r2", "r1", "r1", "r2", "r10", "r1", "r10"],
    "competitor": ["bo", "ana", "bo", "ana", "cy", "cy", "ana"],
    "place": [1, 1, 2, 2, 1, 2, 1],
    "ends_at": [dt.date(2024, 3, d) for d in (2, 1, 1, 2, 10, 1, 10)],
}
EXPECTED = ranklore.rate(RESULTS).to_dict()


def same(results: Any, **options: Any) -> bool:
    return ratings(ranklore.rate(results, **options).to_dict()) == ratings(EXPECTED)


def ratings(columns: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    """Return the ratings by competitor; those who tie are in the order of the rows."""
    return sorted(zip(columns["competitor"], columns["mu"], columns["sigma"]))


def frame(**changes: Any) -> Any:
    return pl.DataFrame(RESULTS).with_columns(**changes)


def test_every_library_is_read() -> None:
    polars = pl.DataFrame(RESULTS)
    assert same(polars)
    assert same(pd.DataFrame(RESULTS))
    assert same(pa.table(RESULTS))
    assert same(pa.table(RESULTS).to_batches()[0])
    assert same(duckdb.sql("SELECT * FROM polars"))
    assert same({name: np.array(values) for name, values in RESULTS.items()})
    assert same({name: polars[name] for name in RESULTS})
    assert same(pl.concat([polars[:3], polars[3:]], rechunk=False))


def test_rows_are_in_any_order() -> None:
    polars = pl.DataFrame(RESULTS)
    for seed in range(5):
        assert same(polars.sample(fraction=1, shuffle=True, seed=seed))


def test_results_leave_through_every_library() -> None:
    run = ranklore.rate(RESULTS)
    assert run.to_polars()["mu"].to_list() == EXPECTED["mu"]
    assert run.to_pandas()["mu"].tolist() == EXPECTED["mu"]
    assert run.to_pyarrow()["mu"].to_pylist() == EXPECTED["mu"]
    assert duckdb.sql("SELECT count(*) FROM run").fetchall() == [(7,)]
    assert pl.DataFrame(run).equals(run.to_polars())


@pytest.mark.parametrize(
    "place",
    [
        pl.col("place").cast(pl.UInt8),
        pl.col("place").cast(pl.Int64),
        pl.col("place").cast(pl.Float32),
        pl.col("place").cast(pl.Decimal(10, 2)),
        pl.col("place").cast(pl.String),
        "=" + pl.col("place").cast(pl.String),
    ],
)
def test_places_of_every_type(place: Any) -> None:
    assert same(frame(place=place))


@pytest.mark.parametrize(
    "name",
    [
        pl.col("competitor").cast(pl.Categorical),
        pl.col("competitor").cast(pl.Enum(["cy", "bo", "ana", "unused"])),
    ],
)
def test_categories_are_names(name: Any) -> None:
    assert same(frame(competitor=name))


@pytest.mark.parametrize(
    "time",
    [
        pl.col("ends_at").cast(pl.Datetime("ms")),
        pl.col("ends_at").cast(pl.Datetime("us")),
        pl.col("ends_at").cast(pl.Datetime("ns")).dt.replace_time_zone("UTC"),
        pl.col("ends_at").cast(pl.String),
        pl.col("ends_at").cast(pl.Datetime("us")).dt.epoch("s"),
        pl.col("ends_at").cast(pl.Datetime("us")).dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
        pl.col("ends_at").cast(pl.Datetime("us")).dt.strftime("%Y-%m-%d %H:%M:%S"),
    ],
)
def test_times_of_every_type(time: Any) -> None:
    run = ranklore.rate(frame(ends_at=time))
    assert run["ends_at"] == EXPECTED["ends_at"]
    assert run["mu"] == EXPECTED["mu"]


def test_zones_are_instants() -> None:
    eastern = pl.col("ends_at").cast(pl.Datetime("us")).dt.replace_time_zone("America/New_York")
    run = ranklore.rate(frame(ends_at=eastern))
    assert run["ends_at"][0] == dt.datetime(2024, 3, 1, 5, tzinfo=dt.timezone.utc)
    zone = dt.timezone(dt.timedelta(hours=-5))
    times = [dt.datetime(2024, 3, day.day, tzinfo=zone) for day in RESULTS["ends_at"]]
    assert ranklore.rate({**RESULTS, "ends_at": times})["ends_at"] == run["ends_at"]


def test_dictionaries_of_pyarrow() -> None:
    table = pa.table({**RESULTS, "competitor": pa.array(RESULTS["competitor"]).dictionary_encode()})
    assert same(table)
    assert same(table.set_column(0, "contest", pa.array(RESULTS["contest"], pa.large_string())))


def test_integer_ids_keep_their_type() -> None:
    numbers = {"ana": 7, "bo": 70, "cy": 700}
    run = ranklore.rate(
        {**RESULTS, "competitor": [numbers[name] for name in RESULTS["competitor"]]}
    )
    assert run["competitor"] == [numbers[name] for name in EXPECTED["competitor"]]
    assert run.to_polars()["competitor"].dtype == pl.Int64
    assert run.win_probability(7, 70) == ranklore.rate(RESULTS).win_probability("ana", "bo")


def test_statuses_rank_below_all() -> None:
    table = {
        "contest": [1] * 5,
        "competitor": ["ana", "bo", "cy", "di", "eve"],
        "place": [1, None, None, 2, None],
        "status": [None, "dnf", "DQ", "finished", "DNS"],
    }
    with pytest.warns(UserWarning, match="1 row of absent competitors left out"):
        run = ranklore.rate(table)
    assert run["competitor"][:2] == ["ana", "di"]
    assert len(run) == 4
    nan = pd.DataFrame({**table, "place": [1, math.nan, math.nan, 2, math.nan]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert ranklore.rate(nan)["mu"] == run["mu"]


def test_contests_order_themselves() -> None:
    days = ranklore.rate({**RESULTS, "contest": RESULTS["ends_at"]}, time=False)
    assert days["mu"] == EXPECTED["mu"]
    assert days["contest"][0] == "2024-03-01"
    numbered = [int(name[1:]) for name in RESULTS["contest"]]
    run = ranklore.rate({**RESULTS, "contest": numbered}, "glicko", time=False)
    assert run["mu"] == ranklore.rate(RESULTS, "glicko")["mu"]
    assert "ends_at" not in run.to_dict()


def test_teams_as_a_whole_and_by_member() -> None:
    table = {
        "contest": [1, 1, 1, 2, 2, 2],
        "competitor": ["ana", "bo", "cy", "ana", "cy", "bo"],
        "team": ["red", "red", None, "red", "blue", "blue"],
        "place": [1, 1, 2, 2, 1, 1],
    }
    whole = ranklore.rate(table)
    assert whole.leaderboard().to_dict()["kind"].count("team") == 2
    members = ranklore.rate(table, teams="members")
    assert sorted(set(members["competitor"])) == ["ana", "bo", "cy"]
    assert len(members) == 6


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"place": [1, 1, 2.5, 2, 1, 2, 1]}, 'column "place", row 2: place 2.5'),
    ({"place": [1, 1, 0, 2, 1, 2, 1]}, 'column "place", row 2: place 0'),
    ({"place": [1, 1, -3, 2, 1, 2, 1]}, 'column "place", row 2: place -3'),
    ({"place": [1, 1, None, 2, 1, 2, 1]}, 'column "place", row 2: the place is missing'),
    ({"place": [1, 1, math.nan, 2, 1, 2, 1]}, 'column "place", row 2: the place is missing'),
    ({"place": [1, 1, math.inf, 2, 1, 2, 1]}, 'column "place", row 2: place inf'),
    ({"place": ["1", "1", "third", "2", "1", "2", "1"]}, 'row 2: "third" is not a place'),
    ({"place": [True] * 7}, 'column "place" has the type Boolean'),
    (
        {"place": [1, 1, "2", 2, 1, 2, 1]},
        'column "place", row 2: .*str.* in a column of whole numbers',
    ),
    (
        {"competitor": ["bo", "ana", None, "ana", "cy", "cy", "ana"]},
        "row 2: the row names no competitor",
    ),
    ({"competitor": ["bo", "ana", " ", "ana", "cy", "cy", "ana"]}, "row 2: the name is blank"),
    (
        {"competitor": ["bo", "ana", "bo ", "ana", "cy", "cy", "ana"]},
        'row 2: the name "bo " has blanks',
    ),
    (
        {"competitor": ["bo", "ana", "x" * 1001, "ana", "cy", "cy", "ana"]},
        "row 2: the name has 1001 characters",
    ),
    (
        {"competitor": ["bo", "ana", "ana", "ana", "cy", "cy", "ana"]},
        '"ana" stands twice, in rows 1 and 2',
    ),
    ({"competitor": [1.5] * 7}, 'column "competitor" has the type Float64'),
    ({"contest": ["r2", "r1", None, "r2", "r10", "r1", "r10"]}, "row 2: the contest is missing"),
    (
        {"ends_at": [dt.date(2024, 1, day) for day in range(1, 8)]},
        "row 2: the value differs from that of row 1, of the same contest",
    ),
    (
        {"ends_at": ["2024-03-01"] * 2 + ["03/04/2024"] + ["2024-03-01"] * 4},
        'row 2: "03/04/2024" is no time',
    ),
    ({"ends_at": [3] * 7}, "row 0: 3 may be a round"),
    ({"ends_at": [10**12] * 7}, "row 0: the time 1000000000000 s"),
    ({"ends_at": [dt.date(1200, 1, 1)] * 7}, "1583 to 2199"),
    ({"weight": [1, 1, -1, 1, 1, 1, 1]}, "differs from that of row 1"),
    ({"weight": [0.0] * 7}, "weight 0.0 lies outside"),
    ({"weight": [None] * 7}, "row 0: the weight is missing"),
    ({"status": ["x"] * 7}, 'row 0: "x" is no status'),
    ({"division": ["open"] * 7}, '"division", which is not read'),
    ({"place": [1]}, "give columns of one length"),
    ({"place": 1}, 'column "place" is .*int.*; give a list'),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_refused_by_column_and_row(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ranklore.Error, match=message):
        ranklore.rate({**RESULTS, **changes})


def test_errors_have_row_column_and_contest() -> None:
    with pytest.raises(ranklore.Error) as caught:
        ranklore.rate({**RESULTS, "competitor": ["bo", "ana", "ana", "ana", "cy", "cy", "ana"]})
    error = caught.value
    assert (error.row, error.column, error.contest) == (2, "competitor", "r1")


def test_contests_without_an_order_are_refused() -> None:
    with pytest.raises(ranklore.Error, match="have no order: pass time=COLUMN"):
        ranklore.rate(RESULTS, time=False)
    with pytest.raises(ranklore.Error, match='there is no column "day"; the table has contest'):
        ranklore.rate(RESULTS, time="day")
    with pytest.raises(ranklore.Error, match="periods need times"):
        ranklore.rate_games({"a": ["x"], "b": ["y"], "outcome": [1]}, period="7d")


def test_no_tables_are_refused() -> None:
    for table in (None, 17, "results.csv", [1, 2]):
        with pytest.raises(ranklore.Error, match="cannot read a table from"):
            ranklore.rate(table)  # type: ignore[arg-type]
    with pytest.raises(ranklore.Error, match="no contest to rate"):
        ranklore.rate(pl.DataFrame(RESULTS)[:0])


def test_decimal_and_exotic_columns_beside_are_ignored() -> None:
    table = pl.DataFrame(RESULTS).with_columns(
        tags=pl.lit(["x", "y"]), paid=pl.lit(decimal.Decimal("1.50")), raw=pl.lit(b"\xff")
    )
    assert same(table)


GAMES = {
    "a": ["ana", "bo", "cy", "ana"],
    "b": ["bo", "cy", "ana", "bo"],
    "outcome": [1.0, 0.5, 0.0, 0.0],
}


@pytest.mark.parametrize(
    "outcome",
    [
        ["1-0", "½-½", "0-1", "0-1"],
        ["win", "draw", "loss", "LOSS"],
        ["2-1", "0:0", "1-3", "0-1"],
        ["ana", "tie", "ana", "bo"],
        ["1", "1/2-1/2", "0", "0"],
        [1, 0, -1, -1],
    ],
)
def test_outcomes_of_every_form(outcome: list[Any]) -> None:
    expected = ranklore.rate_games(GAMES, "glicko2")["mu"]
    assert ranklore.rate_games({**GAMES, "outcome": outcome}, "glicko2")["mu"] == expected


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        ([1, 2, 0, 0], "row 1: the outcome 2 is none of"),
        ([1, 0.5, -1, 0], "row 1: the outcome 0.5"),
        (["1-0", "walkover", "0-1", "0-1"], 'row 1: "walkover" is no outcome'),
    ],
)
def test_ambiguous_outcomes_are_refused(outcome: list[Any], message: str) -> None:
    with pytest.raises(ranklore.Error, match=message):
        ranklore.rate_games({**GAMES, "outcome": outcome})


def test_games_without_result_are_left_out() -> None:
    with pytest.warns(UserWarning, match="1 game without a result left out"):
        run = ranklore.rate_games({**GAMES, "outcome": [1, None, 0, 0]})
    assert run["game"] == [0, 0, 2, 2, 3, 3]
    with pytest.warns(UserWarning, match="1 game without a result left out"):
        flags = ranklore.rate_games({**GAMES, "outcome": [True, None, False, False]})
    assert flags["mu"] == run["mu"]


def test_players_do_not_play_themselves() -> None:
    with pytest.raises(ranklore.Error, match='row 1: "cy" plays against themselves'):
        ranklore.rate_games({**GAMES, "a": ["ana", "cy", "cy", "ana"]})


def test_notebook_shows_the_leaderboard() -> None:
    shown = ranklore.rate(
        {**RESULTS, "competitor": ["<b>" if n == "bo" else n for n in RESULTS["competitor"]]}
    )
    assert "&lt;b&gt;" in shown._repr_html_() and "<b>" not in shown._repr_html_()
    assert repr(shown) == "<ranklore.Run by elo-mmr: 3 contests, 7 results, 3 competitors>"


@pytest.mark.parametrize("column", ["source", "state", "rated"])
def test_columns_of_datasets_alone_are_refused(column: str) -> None:
    results = {"contest": [1, 1], "competitor": ["a", "b"], "place": [1, 2], column: ["x", "x"]}
    with pytest.raises(ranklore.Error, match="read only beside"):
        ranklore.rate(results, "elo-mmr")


def test_unread_dates_are_refused() -> None:
    results = {
        "contest": [1, 1],
        "competitor": ["a", "b"],
        "place": [1, 2],
        "date": ["2024-01-01"] * 2,
    }
    with pytest.raises(ranklore.Error, match='pass time="date"'):
        ranklore.rate(results, "elo-mmr")
    assert len(ranklore.rate(results, "elo-mmr", time=False)) == 2


def sided(*sides: str) -> dict[str, list[Any]]:
    """Results of the games, with the side of each entrant."""
    places = [(1, 2), (1, 1), (2, 1), (2, 1)]
    return {
        "contest": [game for game in range(4) for _ in range(2)],
        "competitor": ["ana", "bo", "bo", "cy", "cy", "ana", "ana", "bo"],
        "place": [place for pair in places for place in pair],
        "side": list(sides) * 4,
    }


@pytest.mark.parametrize("sides", [("white", "black"), ("HOME", "away"), ("first", "second")])
def test_sides_have_the_advantage_of_games(sides: tuple[str, str]) -> None:
    run = ranklore.rate(sided(*sides), "elo", advantage=80)
    games = ranklore.rate_games(GAMES, "elo", advantage=80)
    assert ratings(run.to_dict()) == ratings(games.to_dict())
    assert run["mu"] != ranklore.rate(sided(*sides), "elo")["mu"]


def test_advantage_needs_sides() -> None:
    results = sided("white", "black")
    del results["side"]
    with pytest.raises(ranklore.Error, match="parameter advantage needs the sides"):
        ranklore.rate(results, "elo", advantage=80)
    with pytest.raises(ranklore.Error, match="parameter advantage needs the sides"):
        ranklore.rate(sided("white", "black"), "elo", advantage=80, side=False)
    with pytest.raises(ranklore.Error, match="parameter advantage needs the sides"):
        ranklore.evaluate(results, "elo:advantage=80")
    searches: list[dict[str, Any]] = [
        {"fixed": {"advantage": 80}},
        {"ranges": {"advantage": (0, 80)}},
    ]
    for options in searches:
        with pytest.raises(ranklore.Error, match="parameter advantage needs the sides"):
            ranklore.tune(results, "elo", **options)


def test_unknown_sides_are_refused() -> None:
    with pytest.raises(ranklore.Error, match='row 0: "left" is no side; use white, black, home'):
        ranklore.rate(sided("left", "right"), "elo")
    with pytest.raises(ranklore.Error, match="both entrants have the advantage of a side"):
        ranklore.rate(sided("white", "white"), "elo")
    assert len(ranklore.rate(sided("left", "right"), "elo", side=False)) == 8


def test_weights_of_a_site_are_read() -> None:
    weighted = ranklore.rate({**RESULTS, "weight": [2, 1, 1, 2, 1, 1, 1]}, "glicko")
    table = {**RESULTS, "site_weight": [50, 25, 25, 50, 25, 25, 25]}
    assert ranklore.rate(table, "glicko:weight=site/25")["mu"] == weighted["mu"]
    assert ranklore.rate(table, "glicko")["mu"] != weighted["mu"]
    with pytest.raises(ranklore.Error, match='as in "elo-mmr:weight=site"'):
        ranklore.rate(table, "glicko", weight="site")
    with pytest.raises(ranklore.Error, match="needs the column site_weight"):
        ranklore.rate(RESULTS, "glicko:weight=site")


def test_divergence_names_the_contest() -> None:
    results: dict[str, list[Any]] = {
        "contest": [7, 7, 9, 9],
        "competitor": list("abab"),
        "place": [1, 1, 1, 2],
    }
    results["weight"] = [100.0] * 4
    with pytest.raises(ranklore.Error, match='of elo diverge: in contest "9" one') as caught:
        ranklore.rate(results, "elo", learning_rate=1e6)
    assert caught.value.contest == "9"


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True, 5_000])
def test_numbers_of_threads_are_whole(threads: Any) -> None:
    with pytest.raises(ranklore.Error, match="threads is"):
        ranklore.rate(RESULTS, threads=threads)


def test_fields_are_lists() -> None:
    with pytest.raises(ranklore.Error, match="a field is a list of competitors"):
        ranklore.rate(RESULTS).predict("ana")


def test_outcomes_with_two_readings_are_refused() -> None:
    with pytest.raises(ranklore.Error, match="name of a player and a word"):
        ranklore.rate_games({"a": ["b"], "b": ["a"], "outcome": ["a"]}, "elo")


def test_durations_are_refused() -> None:
    results = {"contest": [1, 1], "competitor": ["a", "b"], "place": [1, 2]}
    with pytest.raises(ranklore.Error, match="starts of contests"):
        ranklore.evaluate(results, ["elo-mmr:weight=duration"])
