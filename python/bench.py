"""Measure the package beside its peers: medians, in one thread each, from a release build.

    python bench.py [--games 201614] [--runs 5] [--only ranklore]

Peers that are not installed are left out. With RANKLORE_REAL_DATA the Codeforces history is rated
too, from Arrow to Arrow. Peers that are slower than 20 µs a game rate a tenth of the games.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from typing import Any

import ranklore

PLAYERS = 7_676


def history(count: int) -> dict[str, list[Any]]:
    """Games on 1,000 days of players who differ in skill; a fifth are drawn."""
    dice = random.Random(1)
    skills = [dice.gauss(0, 1) for _ in range(PLAYERS)]
    games: dict[str, list[Any]] = {"day": [], "a": [], "b": [], "outcome": []}
    for number in range(count):
        a, b = dice.sample(range(PLAYERS), 2)
        chance = 1 / (1 + 2.718281828 ** (skills[b] - skills[a]))
        point = dice.random()
        outcome = 0.5 if point < 0.2 else float((point - 0.2) / 0.8 < chance)
        day = 1_000_000_000 + number * 1_000 // count * 86_400
        for name, value in zip(games, (day, f"player {a}", f"player {b}", outcome)):
            games[name].append(value)
    return games


def median(runs: int, work: Callable[[], Any]) -> float:
    """Return the median time of some runs in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def report(name: str, seconds: float, games: int, note: str = "") -> None:
    print(f"{name:36} {seconds / games * 1e6:9.2f} µs a game  {note}", flush=True)


def measure_games(games: dict[str, list[Any]], runs: int) -> None:
    table: Any = games
    if importlib.util.find_spec("polars"):
        import polars

        table = polars.DataFrame(games)
    count = len(games["a"])
    for system in ("elo", "glicko", "glicko2", "trueskill"):
        bare: list[float] = []

        def work(system: str = system, bare: list[float] = bare) -> None:
            run = ranklore.rate_games(table, system, time="day", threads=1)
            bare.append(run.seconds)

        seconds = median(runs, work)
        ratio = seconds / statistics.median(bare)
        report(f"ranklore.rate_games {system}", seconds, count, f"{ratio:.2f} times the numerics")


def measure_calls(runs: int) -> None:
    pairs = [[f"p{n * 7 % 97}", f"q{n * 11 % 89}"] for n in range(10_000)]
    for name in ("elo", "glicko2", "trueskill", "elo-mmr"):

        def work(name: str = name) -> None:
            # A new one for each run: elo-mmr remembers all games of a player.
            system = ranklore.System(name)
            for pair in pairs:
                system.rate(pair)

        report(f"ranklore.System.rate {name}", median(runs, work), len(pairs))


def measure_import(runs: int) -> None:
    program = (
        "import time; t = time.perf_counter(); import ranklore; print(time.perf_counter() - t)"
    )
    times = [
        float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(runs + 1)
    ]
    print(f"{'import ranklore':36} {statistics.median(times[1:]) * 1e3:9.2f} ms")


def measure_codeforces(folder: pathlib.Path, runs: int) -> None:
    """Rate the Codeforces history, 1,371,813 results, from Arrow to Arrow."""
    import pyarrow

    columns: dict[str, list[Any]] = {
        name: [] for name in ("contest", "time", "competitor", "place")
    }
    with pyarrow.OSFile(str(folder / "codeforces-2010-2018.tar.zst")) as file:
        data = pyarrow.CompressedInputStream(file, "zstd").read()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is None:
                continue
            contest = json.load(content)
            for handle, low, _ in contest["standings"]:
                columns["contest"].append(member.name)
                columns["time"].append(contest["time_seconds"])
                columns["competitor"].append(handle)
                columns["place"].append(low + 1)
    table = pyarrow.table(columns)
    del columns, data
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = median(runs, lambda: pyarrow.table(ranklore.rate(table, time="time")))
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    rows = len(table)
    print(f"{'Codeforces, elo-mmr, Arrow to Arrow':36} {seconds:9.2f} s for {rows:,} results, "
          f"at most {more:.0f} MiB above the table")  # fmt: skip


def peer_riix(games: dict[str, list[Any]]) -> dict[str, Callable[[], Any]]:
    import numpy
    from riix.models.elo import Elo
    from riix.models.glicko import Glicko
    from riix.models.glicko2 import Glicko2
    from riix.utils.data_utils import MatchupDataset

    numbers = {name: n for n, name in enumerate(dict.fromkeys(games["a"] + games["b"]))}
    pairs = [[numbers[a], numbers[b]] for a, b in zip(games["a"], games["b"])]
    dataset = MatchupDataset.init_from_arrays(
        time_steps=numpy.array(games["day"], dtype=numpy.int32) // 86_400,
        matchups=numpy.array(pairs, dtype=numpy.int32),
        outcomes=numpy.array(games["outcome"]),
        competitors=list(numbers),
    )
    options = {"competitors": list(numbers), "update_method": "iterative"}
    return {
        "riix elo": lambda: Elo(**options).fit_dataset(dataset),
        "riix glicko": lambda: Glicko(**options).fit_dataset(dataset),
        "riix glicko2": lambda: Glicko2(**options).fit_dataset(dataset),
    }


def peer_evalica(games: dict[str, list[Any]]) -> dict[str, Callable[[], Any]]:
    import evalica

    winners = {1.0: evalica.Winner.X, 0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw}
    outcomes = [winners[outcome] for outcome in games["outcome"]]
    return {"evalica elo": lambda: evalica.elo(games["a"], games["b"], outcomes)}


def peer_openskill(games: dict[str, list[Any]]) -> dict[str, Callable[[], Any]]:
    from openskill.models import PlackettLuce

    ranks = {1.0: [0, 1], 0.0: [1, 0], 0.5: [0, 0]}

    def work() -> None:
        model = PlackettLuce()
        players = {name: model.rating() for name in games["a"] + games["b"]}
        for a, b, outcome in zip(games["a"], games["b"], games["outcome"]):
            [[players[a]], [players[b]]] = model.rate(
                [[players[a]], [players[b]]], ranks=ranks[outcome]
            )

    return {"openskill plackett-luce": work}


def peer_trueskill(games: dict[str, list[Any]]) -> dict[str, Callable[[], Any]]:
    import trueskill

    def work() -> None:
        environment = trueskill.TrueSkill()
        players = {name: environment.create_rating() for name in games["a"] + games["b"]}
        for a, b, outcome in zip(games["a"], games["b"], games["outcome"]):
            first, second = (b, a) if outcome == 0 else (a, b)
            players[first], players[second] = trueskill.rate_1vs1(
                players[first], players[second], drawn=outcome == 0.5, env=environment
            )

    return {"trueskill": work}


def peer_elote(games: dict[str, list[Any]]) -> dict[str, Callable[[], Any]]:
    import elote

    def work(kind: Any) -> None:
        players = {name: kind() for name in games["a"] + games["b"]}
        for a, b, outcome in zip(games["a"], games["b"], games["outcome"]):
            if outcome == 0.5:
                players[a].tied(players[b])
            else:
                first, second = (a, b) if outcome else (b, a)
                players[first].beat(players[second])

    return {
        "elote elo": lambda: work(elote.EloCompetitor),
        "elote glicko": lambda: work(elote.GlickoCompetitor),
    }


PEERS = {
    "riix": (peer_riix, 1),
    "evalica": (peer_evalica, 1),
    "openskill": (peer_openskill, 10),
    "trueskill": (peer_trueskill, 10),
    "elote": (peer_elote, 10),
}


def measure_peers(games: dict[str, list[Any]], runs: int) -> None:
    for package, (prepare, share) in PEERS.items():
        if not importlib.util.find_spec(package):
            print(f"{package}: not installed")
            continue
        count = len(games["a"]) // share
        part = {name: values[:count] for name, values in games.items()}
        for name, work in prepare(part).items():
            work()
            report(name, median(min(runs, 3), work), count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=201_614)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", choices=["ranklore"], help="leave the peers out")
    arguments = parser.parse_args()
    games = history(arguments.games)
    measure_import(arguments.runs)
    measure_calls(arguments.runs)
    measure_games(games, arguments.runs)
    if folder := os.environ.get("RANKLORE_REAL_DATA"):
        measure_codeforces(pathlib.Path(folder), arguments.runs)
    if not arguments.only:
        measure_peers(games, arguments.runs)


if __name__ == "__main__":
    main()
