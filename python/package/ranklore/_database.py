"""The file of Ranklore."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from ranklore import _ranklore
from ranklore._table import ArrowTable, Table


class View(Table):
    """The rows of a view, and in ``facts`` all else that the command prints with ``--json``."""

    def __init__(self, rows: ArrowTable, facts: str) -> None:
        super().__init__(rows)
        self.facts: dict[str, Any] = json.loads(facts)


class Database:
    """A file of Ranklore, open for reading, also while the command writes to it.

    Each call reads one state of the file. Options are those of the command without dashes:
    ``--min-contests 5`` is ``min_contests=5``. Views show the names that may be published,
    :meth:`standings` and :meth:`ratings` those of the file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._core = _ranklore.Database(os.fspath(path))

    def sources(self, **options: Any) -> View:
        """Return the sources, as ``ranklore sources``."""
        return self._view("sources", [], options)

    def runs(self) -> Table:
        """Return the runs, oldest first."""
        return Table(self._core.runs())

    def leaderboard(self, *sources: str, **options: Any) -> View:
        """Return the leaderboard of a run over these sources, as ``ranklore leaderboard``."""
        return self._view("leaderboard", [], {"source": list(sources), **options})

    def player(self, source: str, name: str, **options: Any) -> View:
        """Return the contests of a competitor, as ``ranklore player``; the rating is in ``facts``."""
        return self._view("player", [source, name], options)

    def contest(self, source: str, name: str, **options: Any) -> View:
        """Return the standings of a contest with predictions, as ``ranklore contest``."""
        return self._view("contest", [source, name], options)

    def standings(self, source: str) -> Table:
        """Return all results of a source, which :func:`ranklore.rate` reads as they are.

        Merged accounts are one competitor. Members of teams and starting ratings are not in it, so
        runs with these differ.
        """
        return Table(self._core.standings(source))

    def ratings(self, run: int | str) -> Table:
        """Return all ratings of a run, by its id or name, in the order of rating."""
        return Table(self._core.ratings(str(run)))

    def close(self) -> None:
        """Close the file."""
        self._core.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _view(self, view: str, names: list[str], options: Mapping[str, Any]) -> View:
        request = {name.replace("_", "-"): _option(value) for name, value in options.items()}
        return View(*self._core.view(view, names, json.dumps(request)))


def open(path: str | os.PathLike[str]) -> Database:
    """Open a file of Ranklore for reading.

    >>> open("missing.sqlite")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ranklore.Error: there is no database ...; the command creates it: ranklore import
    """
    return Database(path)


def _option(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
