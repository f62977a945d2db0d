"""Tables that every data-frame library reads through Arrow."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from ranklore._ranklore import to_columns

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

SHOWN_ROWS = 20
"""The number of rows that a notebook shows."""


class ArrowTable(Protocol):
    """An object with the Arrow stream capsule."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Table:
    """Rows in columns. Arrow's capsule hands them to any data-frame library without a copy.

    >>> import ranklore
    >>> run = ranklore.rate({"contest": [1, 1], "competitor": ["ana", "bo"], "place": [1, 2]})
    >>> board = run.leaderboard()
    >>> board["competitor"]
    ['ana', 'bo']
    >>> len(board)
    2
    """

    def __init__(self, source: ArrowTable) -> None:
        self._source = source
        self._columns: dict[str, list[Any]] | None = None

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._source.__arrow_c_stream__(requested_schema)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns as lists."""
        if self._columns is None:
            self._columns = dict(to_columns(self._source))
        return self._columns

    def to_polars(self) -> polars.DataFrame:
        """Return a data frame of Polars, which must be installed."""
        import polars

        return polars.DataFrame(self._source)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame of pandas, which must be installed."""
        import pandas

        try:
            frame: pandas.DataFrame = self.to_pyarrow().to_pandas()
        except ImportError:
            frame = pandas.DataFrame(self.to_dict())
        return frame

    def to_pyarrow(self) -> pyarrow.Table:
        """Return a table of PyArrow, which must be installed."""
        import pyarrow

        return pyarrow.table(self._source)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Return the rows as dicts.

        >>> import ranklore
        >>> run = ranklore.rate({"contest": [1, 1], "competitor": ["ana", "bo"], "place": [1, 2]})
        >>> next(run.leaderboard().rows())["competitor"]
        'ana'
        """
        columns = self.to_dict()
        return (dict(zip(columns, values)) for values in zip(*columns.values()))

    def __getitem__(self, column: str) -> list[Any]:
        return self.to_dict()[column]

    def __len__(self) -> int:
        return len(next(iter(self.to_dict().values()), []))

    def __repr__(self) -> str:
        names = ", ".join(self.to_dict())
        return f"<ranklore.{type(self).__name__} of {len(self):,} rows: {names}>"

    def _repr_html_(self) -> str:
        columns = self.to_dict()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        shown = zip(*(values[:SHOWN_ROWS] for values in columns.values()))
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_format(value))}</td>" for value in row) + "</tr>"
            for row in shown
        )
        more = f"<p>{len(self):,} rows</p>" if len(self) > SHOWN_ROWS else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _format(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.4g}"
    return str(value)
