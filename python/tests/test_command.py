"""The package gives the same bits as the command on the same CSV."""

import csv
import io
import json
from datetime import date, timedelta
from typing import Any

import pytest
import ranklore
from conftest import Command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

# The command starts four times for each example.
SETTINGS = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
NAMES = ["Ana", "Bo Ek", "Çağla", "Dov", "Eve", "Ferdinand", "Gül", "17", "Ana 2", "ana"]


def write_csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def ratings(run: ranklore.Run, contest: str) -> list[tuple[object, ...]]:
    columns = run.to_dict()
    ends_at = [int(time.timestamp()) for time in columns["ends_at"]]
    names = [columns[name] for name in ("competitor", "mu", "sigma", "performance", "volatility")]
    return sorted(zip(ends_at, columns[contest], *names))


def text_of(parameters: dict[str, Any]) -> str:
    settings = (f":{name}={json.dumps(value)}" for name, value in parameters.items())
    return "".join(settings)


@st.composite
def seasons(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Contests on a few days, in any order of rows, with ties and entrants that did not finish."""
    rows = []
    for number in range(draw(st.integers(2, 8))):
        names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=7, unique=True))
        places = [draw(st.integers(1, 5)) for _ in names]
        finishers = draw(st.integers(1, len(names)))
        day = date(2024, 1, 1) + timedelta(days=draw(st.integers(0, 4)))
        for index, name in enumerate(names):
            rows.append(
                {
                    "contest": f"Round {number * 3 + 1}",
                    "date": day.isoformat(),
                    "place": places[index] if index < finishers else None,
                    "competitor": name,
                    "status": None if index < finishers else "DNF",
                }
            )
    return draw(st.permutations(rows))


SYSTEMS = [
    ("elo-mmr", {}),
    ("elo-mmr", {"rho": 0.2, "weight_limit": 0.5}),
    ("elo-mmr", {"dnf": "tied"}),
    ("elo-r", {}),
    ("trueskill", {}),
    ("codeforces-official", {}),
    ("topcoder", {"all_tied": "skip"}),
    ("glicko", {"period": "7d"}),
    ("plackett-luce", {}),
]


@SETTINGS
@given(rows=seasons(), choice=st.sampled_from(SYSTEMS))
def test_results_have_the_bits_of_the_command(
    command: Command, rows: list[dict[str, Any]], choice: tuple[str, dict[str, Any]]
) -> None:
    system, parameters = choice
    table = {name: [row[name] for row in rows] for name in rows[0]}
    run = ranklore.rate(table, system, time="date", **parameters)
    expected = command.rate(write_csv(rows), system + text_of(parameters))
    assert ratings(run, "contest") == expected


@st.composite
def matches(draw: st.DrawFn) -> list[dict[str, Any]]:
    rows = []
    for _ in range(draw(st.integers(2, 25))):
        white, black = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True))
        day = date(2024, 1, 1) + timedelta(days=draw(st.integers(0, 6)))
        outcome = draw(st.sampled_from([1, 0.5, 0]))
        rows.append({"date": day.isoformat(), "white": white, "black": black, "outcome": outcome})
    rows[0]["outcome"], rows[1]["outcome"] = 0.5, 1
    return rows


GAME_SYSTEMS = [
    ("elo", {"advantage": 35}),
    ("glicko", {"advantage": -20.5, "period": "7d"}),
    ("glicko2", {"tau": 0.3}),
    ("trueskill", {"draw_probability": 0.2}),
    ("bar", {}),
    ("elo-mmr", {}),
]


@SETTINGS
@given(rows=matches(), choice=st.sampled_from(GAME_SYSTEMS))
def test_games_have_the_bits_of_the_command(
    command: Command, rows: list[dict[str, Any]], choice: tuple[str, dict[str, Any]]
) -> None:
    system, parameters = choice
    table = {name: [row[name] for row in rows] for name in rows[0]}
    run = ranklore.rate_games(table, system, a="white", b="black", time="date", **parameters)
    expected = command.rate(write_csv(rows), system + text_of(parameters))
    # Games have no names of their own in a table.
    found = ratings(run, "game")
    without_name = [(row[0], *row[2:]) for row in expected]
    assert sorted((row[0], *row[2:]) for row in found) == sorted(without_name)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_no_bit(threads: int) -> None:
    names = [f"p{number}" for number in range(3_000)]
    table: dict[str, list[Any]] = {
        "contest": [number // 1_000 for number in range(3_000)] * 2,
        "competitor": names + names[::-1],
        "place": [1 + number % 1_000 // 2 for number in range(3_000)] * 2,
    }
    table["contest"][3_000:] = [3 + number for number in table["contest"][3_000:]]
    assert ranklore.rate(table, threads=threads)["mu"] == ranklore.rate(table)["mu"]
