"""The file gives the rows of the command."""

import json
import pathlib
import sqlite3
from typing import Any

import pytest
import ranklore
from conftest import Command
from test_evidence import season, to_csv


@pytest.fixture
def database(command: Command) -> ranklore.Database:
    command.rate(to_csv(season(12)), "elo-mmr")
    return ranklore.open(command.database)


def rows_of(command: Command, *arguments: str) -> list[dict[str, Any]]:
    answer = json.loads(command.run(*arguments, "--json"))
    rows: list[dict[str, Any]] = answer["rows"] if isinstance(answer, dict) else answer
    return rows


def same_rows(view: ranklore.Table, expected: list[dict[str, Any]]) -> bool:
    """True if the columns of a view have the values of the rows; times differ in their form."""
    columns = view.to_dict()
    names = [name for name in columns if name in expected[0] and not name.endswith("_at")]
    assert len(names) > 3
    return len(view) == len(expected) and all(
        columns[name] == [row[name] for row in expected] for name in names
    )


def test_views_equal_those_of_the_command(command: Command, database: ranklore.Database) -> None:
    assert same_rows(database.leaderboard("club"), rows_of(command, "leaderboard", "club"))
    limited = database.leaderboard("club", min_contests=3, limit=2)
    assert same_rows(limited, rows_of(command, "leaderboard", "club", "--min-contests", "3", "--limit", "2"))  # fmt: skip
    player = database.player("club", "Ana")
    assert same_rows(player, rows_of(command, "player", "club", "Ana"))
    assert player.facts["name"] == "Ana"
    contest = database.contest("club", "Round 3")
    assert same_rows(contest, rows_of(command, "contest", "club", "Round 3"))
    assert contest.facts["entrants"] == 6
    assert database.sources()["source"] == ["club"]
    assert database.runs()["system"] == ["elo-mmr"]


def test_ratings_are_those_of_the_run(command: Command, database: ranklore.Database) -> None:
    found = database.ratings(1).to_dict()
    with sqlite3.connect(command.database) as connection:
        expected = connection.execute("SELECT mu FROM rating ORDER BY mu").fetchall()
    assert sorted(found["mu"]) == [mu for (mu,) in expected]


def test_standings_rate_to_the_same_bits(database: ranklore.Database) -> None:
    run = ranklore.rate(database.standings("club"))
    expected = database.ratings(1).to_dict()
    keys = ("source", "contest", "kind", "competitor", "mu", "sigma", "performance")
    found = run.to_dict()
    assert sorted(zip(*(found[key] for key in keys))) == sorted(
        zip(*(expected[key] for key in keys))
    )


def test_standings_have_the_sides_of_games(command: Command) -> None:
    games = "date,white,black,outcome\n" + "".join(
        f"2024-01-{day:02},{white},{black},{outcome}\n"
        for day, (white, black, outcome) in enumerate(
            [("Ana", "Bo", 1), ("Bo", "Cy", 0.5), ("Cy", "Ana", 0), ("Bo", "Ana", 1)], 1
        )
    )
    command.rate(games, "elo:advantage=35")
    database = ranklore.open(command.database)
    run = ranklore.rate(database.standings("club"), "elo", advantage=35)
    assert sorted(run["mu"]) == sorted(database.ratings(1)["mu"])


def test_the_file_is_read_while_the_command_writes(
    command: Command, database: ranklore.Database
) -> None:
    before = database.leaderboard("club")["mu"]
    command.run("rate", "club", "--system", "trueskill")
    assert database.leaderboard("club", system="elo-mmr")["mu"] == before
    assert database.runs()["system"] == ["elo-mmr", "trueskill"]


def test_mistakes_name_the_remedy(database: ranklore.Database, tmp_path: pathlib.Path) -> None:
    with pytest.raises(ranklore.Error, match="there is no source"):
        database.leaderboard("clob")
    with pytest.raises(ranklore.Error, match='there is no parameter "colour"; use'):
        database.leaderboard("club", colour="red")
    with pytest.raises(ranklore.Error, match="there is no competitor"):
        database.player("club", "Nobody")
    with pytest.raises(ranklore.Error, match="there is no run 7"):
        database.ratings(7)
    (tmp_path / "other.sqlite").write_text("no database")
    with pytest.raises(ranklore.Error):
        ranklore.open(tmp_path / "other.sqlite")
    database.close()
    with pytest.raises(ranklore.Error, match="closed"):
        database.runs()
