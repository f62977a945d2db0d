"""A rating system step by step."""

import json
import threading
from collections.abc import Hashable, Iterable, Iterator, Sequence
from datetime import date, datetime, timezone
from typing import Any, NamedTuple, TypeAlias

from ranklore._parameters import to_json, whole_number
from ranklore._ranklore import Error, StepSystem, read_time, system_names

Entrant: TypeAlias = Hashable | list[Hashable]
"""A competitor, which is any hashable key, or a list of the members of a team."""

Time: TypeAlias = int | str | date | datetime
"""Seconds since 1970, a day, which is its midnight in UTC, or a time; without a zone it is UTC."""

# Built once: a call for one game takes a few microseconds.
_UNORDERED = (str, bytes, set, frozenset)


def systems() -> list[str]:
    """Return the names of all rating systems.

    >>> "elo-mmr" in systems()
    True
    """
    return system_names()


class Rating(NamedTuple):
    """The rating of a competitor, in rating points."""

    mu: float
    """The rating."""
    sigma: float
    """Its uncertainty as a standard deviation; 0 in systems without."""
    performance: float | None
    """The performance in the last contest, if the system computes one."""
    volatility: float | None
    """The volatility, if the system has one."""
    contests: int
    """The number of rated contests."""


class System:
    """A rating system and the ratings of its competitors.

    Contests come in the order of time. The same contests give the same bits as ``ranklore rate``.
    Calls from several threads are rated one after the other.

    >>> system = System("trueskill")
    >>> system.rate([["ana"], ["bo", "cy"]])
    >>> system["ana"].mu > system["bo"].mu
    True
    """

    def __init__(self, name: str = "elo-mmr", /, **parameters: Any) -> None:
        self._core = StepSystem(name, to_json(parameters))
        self._indices: dict[Hashable, int] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The name of the system."""
        return self._core.name

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, also those with default values.

        >>> System("elo", learning_rate=20).parameters["learning_rate"]
        20.0
        """
        parameters: dict[str, Any] = json.loads(self._core.parameters)
        return parameters

    def add(self, key: Hashable, *, mu: float | None = None, sigma: float | None = None) -> None:
        """Add a competitor before the first contest, with a rating of its own if ``mu`` is given.

        >>> system = System("elo")
        >>> system.add("ana", mu=1800)
        >>> system["ana"].mu
        1800.0
        """
        with self._lock:
            if key in self._indices:
                raise Error(f"{key!r} is known already; add a competitor before the first contest")
            index = len(self._indices)
            if mu is not None:
                self._core.set_initial_rating(index, mu, sigma)
            elif sigma is not None:
                raise Error("sigma is given without mu; give both")
            self._indices[key] = index

    def rate(
        self,
        entrants: Sequence[Entrant],
        /,
        *,
        places: Sequence[float | None] | None = None,
        time: Time | None = None,
        weight: float = 1.0,
        performance_ceiling: float | None = None,
        advantaged: int | None = None,
    ) -> None:
        """Rate a contest. The best entrant comes first, unless ``places`` has the place of each.

        Equal places are a tie; ``None`` did not finish. A list is a team, anything else a
        competitor. ``advantaged`` is the index of the entrant that plays at home or moves first, in
        a game of two. Without ``time`` the contest has the time of the one before.

        >>> system = System("glicko")
        >>> system.rate(["ana", "bo", "cy"], places=[1, 2, 2])
        >>> system["bo"] == system["cy"]
        True
        """
        if isinstance(entrants, _UNORDERED):
            raise Error("the entrants are no list in the order of places; pass a list of them")
        if places is not None and isinstance(places, (*_UNORDERED, dict)):
            raise Error("the places are no list in the order of the entrants; pass a list of them")
        flat, teams = self._flatten(entrants)
        first = None if advantaged is None else whole_number("advantaged", advantaged, 0)
        seconds = None if time is None else seconds_of(time)
        ranks = None if places is None else list(places)
        with self._lock:
            known = self._indices
            new: dict[Hashable, int] = {}
            for key in flat:
                if key not in known and key not in new:
                    new[key] = len(known) + len(new)
            indices = [known[key] if key in known else new[key] for key in flat]
            self._core.rate(indices, teams, ranks, seconds, weight, performance_ceiling, first)
            if new:
                known.update(new)

    def win_probability(self, first: Entrant, second: Entrant, /) -> float:
        """Return the probability that ``first`` places above ``second``, from 0 to 1.

        >>> system = System("trueskill")
        >>> system.rate(["ana", "bo", "cy"])
        >>> system.win_probability("ana", ["bo", "cy"]) < system.win_probability("ana", "bo")
        True
        """
        return self._core.win_probability(self._known(first), self._known(second))[0]

    def draw_probability(self, first: Entrant, second: Entrant, /) -> float:
        """Return the probability that both tie; 0 in systems without a probability of ties.

        >>> system = System("trueskill")
        >>> system.rate(["ana", "bo"])
        >>> 0 < system.draw_probability("ana", "bo") < 1
        True
        """
        return self._core.win_probability(self._known(first), self._known(second))[1]

    def __getitem__(self, key: Hashable) -> Rating:
        return Rating(*self._core.rating(self._indices[key]))

    def __contains__(self, key: Hashable) -> bool:
        return key in self._indices

    def __iter__(self) -> Iterator[Hashable]:
        return iter(list(self._indices))

    def __len__(self) -> int:
        return len(self._indices)

    def items(self) -> Iterator[tuple[Hashable, Rating]]:
        """Return each competitor with its rating, in the order of their first contests.

        >>> system = System("elo")
        >>> system.rate(["ana", "bo"])
        >>> [key for key, rating in system.items()]
        ['ana', 'bo']
        """
        return ((key, self[key]) for key in self)

    def __repr__(self) -> str:
        return f"<ranklore.System {self.name} with {len(self)} competitors>"

    def __copy__(self) -> "System":
        return _restore(*self._state())

    def __deepcopy__(self, _memo: dict[int, Any]) -> "System":
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, self._state())

    def _state(self) -> tuple[str, str, list[Hashable], bytes]:
        with self._lock:
            return (self._core.name, self._core.parameters, list(self._indices), self._core.log())

    def _flatten(self, entrants: Iterable[Entrant]) -> tuple[list[Hashable], list[int] | None]:
        flat: list[Hashable] = []
        ends: list[int] = []
        for entrant in entrants:
            if isinstance(entrant, list):
                if not entrant:
                    raise Error("a team has no members; name at least one")
                flat.extend(entrant)
            else:
                flat.append(entrant)
            ends.append(len(flat))
        return flat, ends if len(ends) < len(flat) else None

    def _known(self, entrant: Entrant) -> list[int]:
        keys = self._flatten([entrant])[0]
        try:
            return [self._indices[key] for key in keys]
        except KeyError as error:
            key = error.args[0]
            raise Error(f"{key!r} has no rating: add it, or rate a contest of it first") from None


def _restore(name: str, parameters: str, keys: list[Hashable], log: bytes) -> System:
    system = System.__new__(System)
    system._core = StepSystem(name, parameters)
    system._core.resume(log)
    system._indices = {key: index for index, key in enumerate(keys)}
    system._lock = threading.Lock()
    return system


def seconds_of(time: Time) -> int:
    """Return the seconds since 1970 of a day, a time or a number.

    >>> seconds_of(date(1970, 1, 2))
    86400
    """
    if isinstance(time, datetime):
        zoned = time if time.tzinfo is not None else time.replace(tzinfo=timezone.utc)
        return int(zoned.timestamp() // 1)
    if isinstance(time, date):
        return int(datetime(time.year, time.month, time.day, tzinfo=timezone.utc).timestamp())
    return read_time(time)
