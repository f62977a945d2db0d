"""Rating systems for contests and games, exact and deterministic.

>>> import ranklore
>>> system = ranklore.System("glicko2", tau=0.5)
>>> system.rate(["ana", "bo"])
>>> system.win_probability("ana", "bo") > 0.5
True
"""

from ranklore._database import Database, View, open
from ranklore._evidence import Report, evaluate, search_space, tune
from ranklore._ranklore import ENGINE_VERSION, Error
from ranklore._ranklore import VERSION as __version__
from ranklore._rate import Run, rate, rate_games
from ranklore._system import Rating, System, systems
from ranklore._table import Table

__all__ = [
    "ENGINE_VERSION",
    "Database",
    "Error",
    "Rating",
    "Report",
    "Run",
    "System",
    "Table",
    "View",
    "__version__",
    "evaluate",
    "open",
    "rate",
    "rate_games",
    "search_space",
    "systems",
    "tune",
]
