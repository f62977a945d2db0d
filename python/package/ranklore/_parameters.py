"""Parameters of systems, from Python to JSON."""

import json
import math
import numbers
import operator
from collections.abc import Mapping, Sequence
from typing import Any

from ranklore._ranklore import Error

MAX_THREADS = 1_024
NEEDED_COLUMNS = {"contest", "competitor", "place", "a", "b", "outcome"}


def to_json(parameters: Mapping[str, Any]) -> str:
    """Return parameters as a JSON object; infinity is the word ``inf``.

    >>> to_json({"rho": float("inf"), "tau": 0.5})
    '{"rho": "inf", "tau": 0.5}'
    """
    try:
        return json.dumps(
            {name: _plain(value) for name, value in parameters.items()}, allow_nan=False
        )
    except (TypeError, ValueError) as error:
        raise Error(f"cannot read the parameters: {error}; use numbers, words and lists") from None


def whole_number(name: str, value: Any, lowest: int) -> int:
    """Return a whole number of any type, from ``lowest``.

    >>> whole_number("threads", 0, 1)
    Traceback (most recent call last):
    ranklore.Error: threads is 0; give a whole number from 1
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not lowest <= number < 2**63:
        raise Error(f"{name} is {value!r}; give a whole number from {lowest}")
    return number


def thread_count(threads: Any) -> int | None:
    """Return the number of threads, or None for all cores."""
    count = None if threads is None else whole_number("threads", threads, 1)
    if count is not None and count > MAX_THREADS:
        raise Error(f"threads is {count}; give at most {MAX_THREADS:,}")
    return count


def finite(name: str, value: Any) -> float:
    """Return a number that is neither infinite nor NaN."""
    if not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise Error(f"{name} is {value!r}; give a finite number")
    return float(value)


def check_columns(columns: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of a table, if each is a name, or None or False where it may be missing.

    >>> check_columns({"contest": None})
    Traceback (most recent call last):
    ranklore.Error: contest=None names no column; give the name of one
    """
    for meaning, column in columns.items():
        is_needed = meaning in NEEDED_COLUMNS
        if not isinstance(column, str) and (
            is_needed or (column is not None and column is not False)
        ):
            choices = "" if is_needed else ", None or False"
            raise Error(f"{meaning}={column!r} names no column; give the name of one{choices}")
    return columns


def names_of(names: str | Sequence[str]) -> list[str]:
    """Return a list of names; one alone may be a text.

    >>> names_of("elo")
    ['elo']
    """
    return [names] if isinstance(names, str) else list(names)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        value = value.tolist()
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value
