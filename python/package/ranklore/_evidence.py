"""Which system predicts best, and with which parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from ranklore import _ranklore
from ranklore._parameters import (
    check_columns,
    finite,
    names_of,
    thread_count,
    to_json,
    whole_number,
)
from ranklore._ranklore import Error
from ranklore._rate import Column, TableLike
from ranklore._system import seconds_of
from ranklore._table import Table

RESULT_COLUMNS: dict[str, Column] = {
    "contest": "contest", "competitor": "competitor", "place": "place", "time": None, "team": None,
    "status": None, "weight": None, "event": None, "ordinal": None, "side": None,
}  # fmt: skip
GAME_COLUMNS: dict[str, Column] = {
    "a": "a", "b": "b", "outcome": "outcome", "time": None, "neutral": None, "weight": None,
}  # fmt: skip


class Report(Table):
    """The rows of an evaluation or a search, and in ``report`` all that the command prints."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], report: dict[str, Any]) -> None:
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {name: [row.get(name) for row in rows] for name in names}
        super().__init__(_ranklore.from_columns(columns))
        self.report = report


def evaluate(
    results: TableLike,
    systems: str | Sequence[str],
    *,
    train: float | str | date | datetime | None = None,
    metric: str = "concordance",
    slice: str | None = None,
    by: str | Sequence[str] = (),
    k: float = 0.0,
    seed: int = 1,
    threads: int | None = None,
    **columns: Column,
) -> Report:
    """Compare how well systems predict each contest before they rate it, as ``ranklore evaluate``.

    Systems are names, with settings or without: ``"elo-mmr"``, ``"glicko2:tau=0.5"``. The first
    contests, a tenth or the share ``train``, or those before a day, train the systems and are not
    predicted.
    ``columns`` are those of :func:`ranklore.rate`, or those of :func:`ranklore.rate_games` if
    ``a``, ``b`` or ``outcome`` is among them.

    Return a row for each system and slice, the best system by ``metric`` first.

    >>> games = {"a": ["ana", "bo", "ana"] * 9, "b": ["bo", "cy", "cy"] * 9, "outcome": [1] * 27}
    >>> report = evaluate(games, ["elo", "glicko2"], outcome="outcome")
    >>> sorted(set(report["system"]))
    ['coin toss', 'elo', 'glicko2', 'previous place']
    """
    report: dict[str, Any] = json.loads(
        _ranklore.evaluate(
            results, _columns(columns), names_of(systems), _train(train), metric,
            (slice, names_of(by)), (finite("k", k), whole_number("seed", seed, 0)), thread_count(threads),
        )
    )  # fmt: skip
    rows = [
        {"system": system["system"], **_plain(row)}
        for system in report["systems"]
        for row in system["slices"]
    ]
    return Report(rows, report)


def tune(
    results: TableLike,
    systems: str | Sequence[str],
    *,
    train: float | str | date | datetime | None = None,
    objective: str = "concordance",
    slice: str | None = None,
    trials: int = 100,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    fixed: Mapping[str, Any] | None = None,
    sampler: str = "tpe",
    seed: int = 1,
    threads: int | None = None,
    **columns: Column,
) -> Report:
    """Search the parameters with which systems predict best, as ``ranklore tune``.

    The first contests, a tenth or the share ``train``, or those before a day, tune; the others
    judge. ``ranges`` replace those of :func:`search_space`, ``fixed`` are parameters to set.

    Return a row for each system, the best on the judging part first; ``best`` is a name with
    settings for :func:`evaluate`, ``parameters`` is JSON for :func:`ranklore.rate`.

    >>> games = {"a": ["ana", "bo", "ana"] * 9, "b": ["bo", "cy", "cy"] * 9, "outcome": [1] * 27}
    >>> report = tune(games, ["elo"], train=0.5, trials=3, outcome="outcome")
    >>> report["system"], report["trials"]
    (['elo'], [3])
    """
    settings = [
        f"{name}={json.dumps(value)}" for name, value in json.loads(to_json(fixed or {})).items()
    ]
    limits = [(name, *_range(name, ends)) for name, ends in (ranges or {}).items()]
    search = (sampler, whole_number("trials", trials, 1), whole_number("seed", seed, 0))
    report: dict[str, Any] = json.loads(
        _ranklore.tune(
            results, _columns(columns), names_of(systems), _train(train), (objective, slice),
            limits, settings, search, thread_count(threads),
        )
    )  # fmt: skip
    rows = [
        {**_plain(system), "parameters": json.dumps(system["parameters"]),
         "judged": (system["judged"] or {}).get("value")}
        for system in report["systems"]
    ]  # fmt: skip
    return Report(rows, report)


def search_space(system: str) -> dict[str, dict[str, Any]]:
    """Return the values that a search tries, by parameter, as plain data.

    ``scale`` is ``linear`` or ``log`` with ``low`` and ``high``, or ``choice`` with ``choices``;
    parameters that no search changes are left out.

    >>> search_space("glicko2")["tau"]["scale"] in ("linear", "log")
    True
    """
    description: dict[str, Any] = json.loads(_ranklore.describe(system))
    space: dict[str, dict[str, Any]] = {}
    for parameter in description["search_space"]:
        scale, name = parameter["scale"], parameter["parameter"]
        default = description["parameters"].get(name)
        if scale == "choice":
            choices = [_word(word) for word in parameter["choices"]]
            space[name] = {"scale": scale, "choices": choices, "default": default}
        elif scale != "fixed":
            limits = {"low": parameter["low"], "high": parameter["high"]}
            space[name] = {"scale": scale, **limits, "default": default}
    return space


def _columns(columns: Mapping[str, Column]) -> dict[str, Column]:
    is_games = not {"a", "b", "outcome"}.isdisjoint(columns)
    known: dict[str, Column] = dict(GAME_COLUMNS if is_games else RESULT_COLUMNS)
    unknown = [name for name in columns if name not in known]
    if unknown:
        raise Error(f"{unknown[0]} is no column; use {', '.join(known)}")
    return check_columns(known | dict(columns))


def _range(name: str, ends: Any) -> tuple[float, float]:
    try:
        low, high = ends
    except (TypeError, ValueError):
        raise Error(f"the range of {name} is {ends!r}; give the lowest and highest value") from None
    return finite(f"the range of {name}", low), finite(f"the range of {name}", high)


def _train(train: float | str | date | datetime | None) -> float | int | None:
    if isinstance(train, date | str):
        return seconds_of(train)
    return None if train is None else finite("train", train)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if not isinstance(value, list | dict)}


def _word(word: str) -> Any:
    return {"true": True, "false": False}.get(word, word)
