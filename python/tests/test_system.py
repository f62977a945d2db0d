"""Systems step by step."""

import copy
import datetime as dt
import decimal
import itertools
import pickle
import threading
from collections.abc import Callable
from typing import Any

import pytest
import ranklore

SYSTEMS = ranklore.systems()


def season(system: ranklore.System, rounds: range) -> None:
    """Rate some contests; those of a number are always the same."""
    size = 2 if system.name in {"elo", "bar"} else 4
    for number in rounds:
        players = [f"p{(number * step) % 7}-{step}" for step in range(1, size + 1)]
        places = [1, 1, 3, None][:size] if number % 5 == 0 else None
        system.rate(
            players, places=places, time=1_000_000_000 + 86_400 * number, weight=1 + number % 2
        )


def ratings(system: ranklore.System) -> dict[object, ranklore.Rating]:
    return dict(system.items())


@pytest.mark.parametrize("name", SYSTEMS)
def test_pickle_resumes_to_the_same_bits(name: str) -> None:
    whole = ranklore.System(name)
    season(whole, range(1, 40))
    first = ranklore.System(name)
    season(first, range(1, 23))
    resumed: ranklore.System = pickle.loads(pickle.dumps(first))
    assert ratings(resumed) == ratings(first)
    season(resumed, range(23, 40))
    assert ratings(resumed) == ratings(whole)
    assert ratings(first) != ratings(whole), "the original must not follow the copy"


def test_pickle_resumes_within_a_period() -> None:
    whole, first = (ranklore.System("glicko2", period="7d") for _ in range(2))
    season(whole, range(1, 40))
    season(first, range(1, 23))
    resumed = copy.deepcopy(first)
    season(resumed, range(23, 40))
    assert ratings(resumed) == ratings(whole)


def test_keys_are_any_hashable() -> None:
    system = ranklore.System("elo")
    keys = [("ana", 1990), 17, frozenset({"bo"}), dt.date(2024, 1, 1)]
    for first, second in itertools.pairwise(keys):
        system.rate([first, second])
    assert list(system) == keys
    assert system[17].contests == 2


def test_teams_are_rated_by_member() -> None:
    system = ranklore.System("elo-mmr")
    system.rate([["ana"], ["bo", "cy"]])
    assert system["ana"].mu > system["bo"].mu == system["cy"].mu
    assert system.win_probability(["bo", "cy"], "ana") == 1 - system.win_probability(
        "ana", ["bo", "cy"]
    )


def test_places_decide() -> None:
    ordered, placed = ranklore.System("trueskill"), ranklore.System("trueskill")
    ordered.rate(["ana", "bo", "cy"])
    placed.rate(["cy", "ana", "bo"], places=[9, 1, 4])
    assert ratings(ordered) == ratings(placed)


def test_places_are_whole_numbers_of_any_type() -> None:
    whole, other = ranklore.System("trueskill"), ranklore.System("trueskill")
    whole.rate(["ana", "bo", "cy"], places=[2, None, 1])
    places: list[Any] = [2.0, None, decimal.Decimal(1)]
    other.rate(["ana", "bo", "cy"], places=places)
    assert ratings(whole) == ratings(other)
    with pytest.raises(ranklore.Error) as caught:
        whole.rate(["ana", "bo", "cy"], places=[1, 2, 2.5])
    assert caught.value.row == 2


def test_times_are_those_of_tables() -> None:
    days: list[Any] = [dt.date(2024, 3, 1), "2024-03-01", "2024-03-01T00:00:00Z", 1_709_251_200]
    systems = [ranklore.System("glicko2", period="7d") for _ in days]
    for system, day in zip(systems, days):
        system.rate(["ana", "bo"], time="2024-02-01")
        system.rate(["ana", "bo"], time=day)
    assert all(ratings(system) == ratings(systems[0]) for system in systems)


def test_name_of_a_system_can_have_settings() -> None:
    named, keyword = ranklore.System("glicko2:tau=0.3"), ranklore.System("glicko2", tau=0.3)
    assert named.parameters == keyword.parameters
    with pytest.raises(ranklore.Error, match="parameter tau is set in"):
        ranklore.System("glicko2:tau=0.3", tau=0.3)


def test_copy_continues_before_a_contest_that_failed() -> None:
    system = ranklore.System("elo", learning_rate=1e6)
    system.rate(["ana", "bo"], places=[1, 1])
    with pytest.raises(ranklore.Error, match="diverge"):
        system.rate(["ana", "cy"], weight=100)
    with pytest.raises(ranklore.Error, match="a copy of the system continues before it"):
        system.rate(["ana", "di"])
    resumed = copy.copy(system)
    resumed.rate(["ana", "di"], places=[1, 1])
    assert list(resumed) == ["ana", "bo", "di"]
    assert resumed["ana"].contests == 2


def test_advantage_lowers_the_gain_at_home() -> None:
    home, away = (ranklore.System("elo", advantage=100) for _ in range(2))
    home.rate(["ana", "bo"], advantaged=0)
    away.rate(["ana", "bo"], advantaged=1)
    assert home["ana"].mu < away["ana"].mu


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.rate([]), "no entrants"),
        (lambda s: s.rate(["ana", "ana"]), "stands twice"),
        (lambda s: s.rate([["ana", "bo"], ["cy", "bo"]]), "stands twice"),
        (lambda s: s.rate(["ana", []]), "no members"),
        (lambda s: s.rate(["ana", "bo"], places=[1]), "2 entrants have 1 places"),
        (lambda s: s.rate(["ana", "bo"], places=[0, 1]), "place 0 of entrant 0"),
        (lambda s: s.rate(["ana", "bo"], places=[1, 1.5]), "place 1.5 of entrant 1"),
        (lambda s: s.rate(["ana", "bo"], places=[1, -2]), "place -2 of entrant 1"),
        (lambda s: s.rate(["ana", "bo"], places=[1, 2**40]), "entrant 1 is no whole number"),
        (lambda s: s.rate(["ana", "bo"], places=[1, float("nan")]), "place nan of entrant 1"),
        (lambda s: s.rate(["ana", "bo"], places=["1", 2]), "place 1 of entrant 0"),
        (lambda s: s.rate(["ana", "bo"], places=[True, 2]), "place True of entrant 0"),
        (lambda s: s.rate(["ana", "bo"], places={1: 2, 2: 1}), "the places are no list"),
        (lambda s: s.rate(["ana", "bo", "cy"], advantaged=0), "for games of two, not of 3"),
        (lambda s: s.rate(["ana", "bo"], performance_ceiling=float("nan")), "ceiling"),
        (lambda s: s.rate("ab"), "the entrants are no list"),
        (lambda s: s.rate({"ana", "bo"}), "the entrants are no list"),
        (lambda s: s.rate(["ana", "bo"], weight=0), "weight 0.0 lies outside"),
        (lambda s: s.rate(["ana", "bo"], weight=float("nan")), "weight NaN lies outside"),
        (lambda s: s.rate(["ana", "bo"], time=10**12), "1583 to 2199"),
        (lambda s: s.rate(["ana", "bo"], time=2024), "2024 may be a round, a year"),
        (lambda s: s.rate(["ana", "bo"], time=1e9), "no date, time or whole number of seconds"),
        (lambda s: s.rate(["ana", "bo"], time=True), "no date, time or whole number of seconds"),
        (lambda s: s.rate(["ana", "bo"], time="03/04/2024"), '"03/04/2024" is no time'),
        (lambda s: s.rate(["ana", "bo"], advantaged=2), "advantaged"),
        (lambda s: s.rate(["ana", "bo"], advantaged=-1), "advantaged is -1"),
        (lambda s: s.win_probability("ana", "nobody"), "has no rating"),
        (lambda s: s.add("ana", mu=1e9), "mu 1000000000.0 lies outside"),
        (lambda s: s.add("ana", sigma=10), "without mu"),
    ],
)
def test_mistakes_change_nothing(call: Callable[[ranklore.System], object], message: str) -> None:
    system = ranklore.System("elo-mmr")
    with pytest.raises(ranklore.Error, match=message):
        call(system)
    assert len(system) == 0


def test_contests_must_be_in_order() -> None:
    system = ranklore.System("elo-mmr")
    system.rate(["ana", "bo"], time=dt.date(2024, 3, 1))
    with pytest.raises(ranklore.Error, match="lies before the last contest"):
        system.rate(["ana", "bo"], time=dt.datetime(2024, 2, 29, 23, 59))


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(ranklore.Error, match="choose one of elo-mmr, "):
        ranklore.System("elo-mmz")
    with pytest.raises(ranklore.Error, match="there is no parameter `tua`"):
        ranklore.System("glicko2", tua=0.5)
    with pytest.raises(KeyError):
        ranklore.System("elo")["ana"]


def test_two_player_systems_refuse_more() -> None:
    with pytest.raises(ranklore.Error, match="at most 2 entrants, not 3"):
        ranklore.System("elo").rate(["ana", "bo", "cy"])
    with pytest.raises(ranklore.Error, match="does not rate members"):
        ranklore.System("elo").rate([["ana", "cy"], ["bo"]])


def test_infinite_parameters_are_accepted() -> None:
    assert ranklore.System("elo-mmr", rho=float("inf")).parameters["rho"] == "inf"


def test_threads_share_a_system() -> None:
    system = ranklore.System("elo")

    def play(thread: int) -> None:
        for number in range(200):
            system.rate([f"a{number % 10}", f"b{thread}"])

    threads = [threading.Thread(target=play, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(rating.contests for _, rating in system.items()) == 2 * 4 * 200
    assert len(system) == 14


def test_error_is_a_value_error() -> None:
    assert issubclass(ranklore.Error, ValueError)
