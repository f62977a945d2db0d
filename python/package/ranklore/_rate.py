"""Rating of tables."""

from __future__ import annotations

import html
import json
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ranklore._parameters import check_columns, finite, thread_count, to_json
from ranklore._ranklore import Error, RatedTable
from ranklore._ranklore import rate as _rate
from ranklore._table import ArrowTable, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TableLike: TypeAlias = ArrowTable | Mapping[str, Any]
"""A data frame of Polars, pandas 2.2, PyArrow or DuckDB, or a dict of lists or arrays."""

Column: TypeAlias = str | Literal[False] | None
"""The name of a column. None is that of datasets, if the table has it; False is no column."""


def rate(
    results: TableLike,
    system: str = "elo-mmr",
    *,
    contest: str = "contest",
    competitor: str = "competitor",
    place: str = "place",
    time: Column = None,
    team: Column = None,
    status: Column = None,
    weight: Column = None,
    event: Column = None,
    ordinal: Column = None,
    side: Column = None,
    skip_unsupported: bool = False,
    threads: int | None = None,
    **parameters: Any,
) -> Run:
    """Rate results: one row for each entrant of each contest, in any order.

    Contests are rated in the order of ``time`` (default: the column ``ends_at``), ``event``,
    ``ordinal`` and their names. Without times, contests that are days or whole numbers order
    themselves. Rows with the same ``team`` are its members; pass ``teams="members"`` to rate these.
    The words of ``status`` are ``dnf``, ``dq``, ``dns`` and ``finished``, those of ``side``
    ``white``, ``black``, ``home``, ``away``, ``first`` and ``second``. Other keywords are
    parameters of the system, and ``dnf``, ``all_tied``, ``period``, ``teams``; they may also stand
    in its name: ``"elo-mmr:weight=site"``.

    Raise :class:`ranklore.Error` if the results can be read in two ways; nothing is guessed.

    >>> run = rate(
    ...     {
    ...         "day": ["2024-03-01", "2024-03-01", "2024-03-08", "2024-03-08"],
    ...         "round": ["spring", "spring", "final", "final"],
    ...         "name": ["ana", "bo", "ana", "bo"],
    ...         "rank": [1, 2, 1, 1],
    ...     },
    ...     contest="round", competitor="name", place="rank", time="day",
    ... )
    >>> run.leaderboard()["competitor"]
    ['ana', 'bo']
    """
    columns = {
        "contest": contest, "competitor": competitor, "place": place, "time": time, "team": team,
        "status": status, "weight": weight, "event": event, "ordinal": ordinal, "side": side,
    }  # fmt: skip
    settings = (system, to_json(parameters))
    return Run(
        _rate(results, check_columns(columns), settings, skip_unsupported, thread_count(threads))
    )


def rate_games(
    games: TableLike,
    system: str = "elo",
    *,
    a: str = "a",
    b: str = "b",
    outcome: str = "outcome",
    time: Column = None,
    neutral: Column = None,
    weight: Column = None,
    period: str | None = None,
    advantage: float | None = None,
    threads: int | None = None,
    **parameters: Any,
) -> Run:
    """Rate games of two: one row for each game.

    ``outcome`` is 1, 0.5 or 0, the points of the first player, or a text such as ``1-0``, ``draw``
    or the name of the winner. Games of one time are in the order of the
    rows, or the reverse if times fall. ``period`` groups them
    into rating periods (``7d``, ``month``); ``advantage`` is that of the first player in rating
    points, except in rows whose column ``neutral`` is true.

    >>> run = rate_games({"a": ["ana", "bo"], "b": ["bo", "cy"], "outcome": [1, 0.5]}, "glicko2")
    >>> run.win_probability("ana", "bo") > 0.5
    True
    """
    columns = {
        "a": a, "b": b, "outcome": outcome, "time": time, "neutral": neutral, "weight": weight,
    }  # fmt: skip
    named = {"period": period, "advantage": advantage}
    parameters |= {name: value for name, value in named.items() if value is not None}
    return Run(
        _rate(
            games,
            check_columns(columns),
            (system, to_json(parameters)),
            False,
            thread_count(threads),
        )
    )


class Run(Table):
    """Ratings after each contest, a row for each result, in the order of rating.

    Columns: the contest and the competitor as in the table that was rated, ``ends_at``, ``mu`` and
    ``sigma`` in rating points, ``performance`` and ``volatility`` in systems that have them.

    >>> run = rate({"contest": [1, 1], "competitor": ["ana", "bo"], "place": [1, 2]}, "elo")
    >>> run["competitor"], run["mu"][0] > 1500
    (['ana', 'bo'], True)
    """

    def __init__(self, core: RatedTable) -> None:
        self._core = core
        self._columns = None
        for note in core.notes:
            warnings.warn(note, stacklevel=3)

    @property
    def _source(self) -> ArrowTable:  # type: ignore[override]
        return self._core.ratings()

    @property
    def system(self) -> str:
        """The name of the system."""
        return self._core.system

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, also those with default values.

        >>> rate({"contest": [], "competitor": [], "place": []})
        Traceback (most recent call last):
        ranklore.Error: the table has no contest to rate; give at least one result
        """
        parameters: dict[str, Any] = json.loads(self._core.parameters)
        return parameters

    @property
    def columns(self) -> dict[str, str]:
        """The columns that were read, by their meaning."""
        return dict(self._core.columns)

    @property
    def seconds(self) -> float:
        """The time that the system took, without the table around it."""
        return self._core.seconds

    @property
    def notes(self) -> list[str]:
        """Notes about rows and contests that were left out; they are warnings too."""
        return self._core.notes

    def leaderboard(self, *, k: float | None = None) -> Table:
        """Return the competitors, ordered by ``mu − k·sigma``; provisional ratings come last.

        The default of ``k`` is that of the system: 3, or 0 where sigma is no uncertainty.

        >>> run = rate({"contest": [1, 1], "competitor": ["ana", "bo"], "place": [2, 1]})
        >>> list(run.leaderboard().rows())[0]["competitor"]
        'bo'
        """
        return Table(self._core.leaderboard(None if k is None else finite("k", k)))

    def predict(self, competitors: Sequence[object]) -> Table:
        """Return the expected places of a field in the next contest, the best first.

        >>> run = rate({"contest": [1, 1], "competitor": ["ana", "bo"], "place": [2, 1]})
        >>> run.predict(["ana", "bo"])["competitor"]
        ['bo', 'ana']
        """
        if isinstance(competitors, str):
            raise Error("a field is a list of competitors; pass a list")
        return Table(self._core.predict([str(competitor) for competitor in competitors]))

    def win_probability(self, first: object, second: object) -> float:
        """Return the probability that ``first`` places above ``second``, from 0 to 1.

        >>> run = rate({"contest": [1, 1], "competitor": ["ana", "bo"], "place": [2, 1]})
        >>> 0 < run.win_probability("ana", "bo") < 0.5
        True
        """
        return self._core.win_probability(str(first), str(second))[0]

    def plot(self, competitors: Sequence[object] | None = None, *, ax: Axes | None = None) -> Axes:
        """Plot rating histories with matplotlib: of these competitors, or of the first five."""
        import matplotlib.pyplot

        axes = ax if ax is not None else matplotlib.pyplot.subplots()[1]
        shown = self.leaderboard()["competitor"][:5] if competitors is None else competitors
        columns = self.to_dict()
        order = columns.get("ends_at") or list(range(len(columns["mu"])))
        for competitor in shown:
            rows = [row for row, name in enumerate(columns["competitor"]) if name == competitor]
            axes.step([order[row] for row in rows], [columns["mu"][row] for row in rows],
                      where="post", label=str(competitor))  # fmt: skip
        axes.set_ylabel("rating")
        axes.set_title(self.system)
        axes.legend()
        return axes

    def __repr__(self) -> str:
        contests, results, competitors = self._core.counts
        return (
            f"<ranklore.Run by {self.system}: {contests:,} contests, {results:,} results, "
            f"{competitors:,} competitors>"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>{self.leaderboard()._repr_html_()}"
