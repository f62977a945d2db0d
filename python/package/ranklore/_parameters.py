"""Parameters of systems, from Python to JSON."""

import json
import math
from collections.abc import Mapping
from typing import Any

from ranklore._ranklore import Error


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


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        value = value.tolist()
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value
