"""Evaluation and tuning give the figures of the command."""

import json
import time
from typing import Any

import pytest
import ranklore
from conftest import Command

NAMES = ["Ana", "Bo", "Cy", "Dov", "Eve", "Fay"]


def season(contests: int) -> dict[str, list[Any]]:
    """A season whose better players are named first, with some surprises."""
    table: dict[str, list[Any]] = {"contest": [], "date": [], "place": [], "competitor": []}
    for number in range(contests):
        turn = number * 7 % 5
        order = sorted(range(len(NAMES)), key=lambda i: (i + (turn if i == number % 6 else 0), i))
        for place, index in enumerate(order, 1):
            table["contest"].append(f"Round {number + 1}")
            table["date"].append(f"2024-{1 + number // 28:02}-{1 + number % 28:02}")
            table["place"].append(place)
            table["competitor"].append(NAMES[index])
    return table


def to_csv(table: dict[str, list[Any]]) -> str:
    lines = [",".join(table), *(",".join(map(str, row)) for row in zip(*table.values()))]
    return "\n".join(lines) + "\n"


def without_speed(value: Any) -> Any:
    """Remove what differs between two processes."""
    if isinstance(value, dict):
        return {k: without_speed(v) for k, v in value.items() if k not in ("seconds", "bytes")}
    return [without_speed(item) for item in value] if isinstance(value, list) else value


SYSTEMS = ["elo-mmr", "trueskill:beta=180", "plackett-luce"]


def test_evaluation_equals_that_of_the_command(command: Command) -> None:
    table = season(40)
    report = ranklore.evaluate(table, SYSTEMS, time="date", train=0.2, by=["half"])
    command.rate(to_csv(table), "elo-mmr")
    expected = json.loads(
        command.run(
            "evaluate", "club", "--systems", ",".join(SYSTEMS), "--train", "20%", "--by", "half", "--json",
        )
    )  # fmt: skip
    assert without_speed(report.report["systems"]) == without_speed(expected["systems"])
    assert report["system"][0] == report.report["systems"][0]["system"]
    assert "slice" in report.to_dict() and "concordance" in report.to_dict()


def test_tuning_equals_that_of_the_command(command: Command) -> None:
    table = season(40)
    options: dict[str, Any] = {"sampler": "random", "trials": 5, "seed": 3, "objective": "log_loss"}
    report = ranklore.tune(
        table, ["trueskill"], time="date", train=0.5, fixed={"tau": 1}, **options
    )
    command.rate(to_csv(table), "elo-mmr")
    expected = json.loads(
        command.run(
            "tune", "club", "--system", "trueskill", "--train", "50%", "--sampler", "random",
            "--trials", "5", "--seed", "3", "--objective", "log_loss", "--fix", "tau=1", "--json",
        )
    )  # fmt: skip
    assert without_speed(report.report["systems"]) == without_speed(expected["systems"])
    assert report["trials"] == [5]
    best = ranklore.evaluate(table, [report["best"][0]], time="date", train=0.5)
    assert best["system"][0] in (report["best"][0], "previous place", "coin toss")


def compare(command: Command, table: dict[str, list[Any]], systems: list[str]) -> list[Any]:
    """Return the report of the command on the same table."""
    command.rate(to_csv(table), systems[0])
    answer = command.run("evaluate", "club", "--systems", ",".join(systems), "--json")
    return list(without_speed(json.loads(answer)["systems"]))


def test_members_of_teams_are_evaluated_as_by_the_command(command: Command) -> None:
    pairs = [(a, b) for a in range(6) for b in range(a)]
    table: dict[str, list[Any]] = {"date": [], "place": [], "team": [], "competitor": []}
    for number in range(len(pairs)):
        chosen = [pairs[number], pairs[(number * 7 + 3) % len(pairs)]]
        teams = [
            chosen[0],
            tuple(n for n in chosen[1] if n not in chosen[0]) or ((number + 1) % 6,),
        ]
        if set(teams[0]) & set(teams[1]):
            continue
        for place, team in enumerate(sorted(teams), 1):
            for member in team:
                table["date"].append(f"2024-01-{1 + number:02}")
                table["place"].append(place)
                table["team"].append("Team " + "-".join(NAMES[n] for n in team))
                table["competitor"].append(NAMES[member])
    systems = ["elo-mmr:teams=members", "trueskill:teams=members"]
    found = ranklore.evaluate({**table, "contest": table["date"]}, systems, time="date").report[
        "systems"
    ]
    named = {"Date": table["date"], "Place": table["place"], "Team": table["team"],
             "Member": table["competitor"]}  # fmt: skip
    assert without_speed(found) == compare(command, named, systems)


def test_advantages_are_evaluated_as_by_the_command(command: Command) -> None:
    count = 60
    games: dict[str, list[Any]] = {
        "date": [f"2024-{1 + n // 28:02}-{1 + n % 28:02}" for n in range(count)],
        "white": [NAMES[n % 6] for n in range(count)],
        "black": [NAMES[(n + 1 + n // 6 % 5) % 6] for n in range(count)],
        "outcome": [(n * 5 % 3) / 2 for n in range(count)],
    }
    systems = ["elo:advantage=50", "glicko2:advantage=30"]
    found = ranklore.evaluate(games, systems, a="white", b="black", time="date").report["systems"]
    assert without_speed(found) == compare(command, games, systems)


def test_games_are_evaluated() -> None:
    games = {"white": NAMES * 9, "black": (NAMES[1:] + NAMES[:1]) * 9, "outcome": [1, 0.5, 0] * 18}
    report = ranklore.evaluate(games, ["elo", "glicko2"], a="white", b="black")
    assert {"elo", "glicko2"} <= set(report["system"])


def test_search_space_is_plain_data() -> None:
    for system in ranklore.systems():
        space = ranklore.search_space(system)
        assert json.loads(json.dumps(space)) == space
        for name, values in space.items():
            if values["scale"] == "choice":
                ranklore.System(system, **{name: values["choices"][0]})
            else:
                for end in ("low", "high"):
                    value = values[end]
                    whole = isinstance(values["default"], int)
                    ranklore.System(system, **{name: int(value) if whole else value})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems": []}, "no system is named"),
        ({"systems": ["elo-mmz"]}, "choose one of"),
        ({"train": 1.0}, "a share from 0 to below 1"),
        ({"metric": "luck"}, "use concordance, "),
        ({"by": ["moon"]}, "use experience, "),
        ({"column": "x"}, "column is no column; use contest, "),
        ({"slice": "moon"}, "there is no slice"),
        ({"k": float("nan")}, "k is nan; give a finite number"),
        ({"train": object()}, "train is .*; give a finite number"),
        ({"contest": None}, "contest=None names no column"),
    ],
)
def test_mistakes_name_the_remedy(options: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"systems": ["elo-mmr"], "time": "date", **options}
    with pytest.raises(ranklore.Error, match=message):
        ranklore.evaluate(season(12), **arguments)


def test_one_name_may_be_a_text() -> None:
    options: dict[str, Any] = {"time": "date", "train": "2024-01-05"}
    one = ranklore.evaluate(season(12), "elo-mmr", by="half", **options)
    listed = ranklore.evaluate(season(12), ["elo-mmr"], by=["half"], **options)
    assert without_speed(one.report) == without_speed(listed.report)
    assert ranklore.tune(season(12), "elo-mmr", trials=2, **options)["trials"] == [2]


@pytest.mark.parametrize("option", [{"trials": 0}, {"trials": -1}, {"trials": 2.5}, {"seed": -1}])
def test_counts_are_whole_numbers(option: dict[str, Any]) -> None:
    name = next(iter(option))
    with pytest.raises(ranklore.Error, match=f"{name} is .*; give a whole number from"):
        ranklore.tune(season(12), "elo-mmr", time="date", **option)


@pytest.mark.parametrize("ends", [5, (1, 2, 3), ("x", "y"), (1, float("inf"))])
def test_ranges_have_two_finite_ends(ends: Any) -> None:
    with pytest.raises(ranklore.Error, match="the range of rho is"):
        ranklore.tune(season(12), "elo-mmr", time="date", ranges={"rho": ends})


def test_infinite_parameters_can_be_fixed() -> None:
    options: dict[str, Any] = {"time": "date", "train": 0.5, "trials": 2}
    assert ranklore.tune(season(12), "elo-mmr", fixed={"rho": float("inf")}, **options)["trials"]


@pytest.mark.parametrize("call", [ranklore.evaluate, ranklore.tune])
def test_threads_bound_the_work(call: Any) -> None:
    size, contests = 400, 40
    table = {
        "contest": [number // size for number in range(size * contests)],
        "competitor": [f"p{number * 7 % size}" for number in range(size * contests)],
        "place": [1 + number % size for number in range(size * contests)],
    }
    more = {"trials": 8} if call is ranklore.tune else {}
    start, used = time.perf_counter(), time.process_time()
    call(table, ["elo-mmr", "trueskill-spb", "elo-r", "topcoder"], threads=1, **more)
    elapsed, used = time.perf_counter() - start, time.process_time() - used
    assert used < 1.3 * elapsed


def optuna_objective(trial: Any, table: dict[str, list[Any]]) -> float:
    """Return the log loss of parameters that Optuna suggests."""
    settings = []
    space = ranklore.search_space("trueskill")
    del space["advantage"]  # needs the sides of entrants
    for name, values in space.items():
        if values["scale"] == "choice":
            chosen = trial.suggest_categorical(name, values["choices"])
        else:
            is_log = values["scale"] == "log"
            chosen = trial.suggest_float(name, values["low"], values["high"], log=is_log)
        settings.append(f":{name}={json.dumps(chosen)}")
    report = ranklore.evaluate(table, ["trueskill" + "".join(settings)], time="date")
    rows = [row for row in report.rows() if row["system"].startswith("trueskill")]
    return float(rows[0]["log_loss"])


def test_optuna_drives_the_search() -> None:
    optuna = pytest.importorskip("optuna")
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    study.optimize(lambda trial: optuna_objective(trial, season(20)), n_trials=3)
    assert study.best_value < 1


def test_ray_tune_drives_the_search() -> None:
    tune = pytest.importorskip("ray.tune")
    low_high = ranklore.search_space("trueskill")["beta"]
    space = {"beta": tune.loguniform(low_high["low"], low_high["high"])}
    assert ranklore.System("trueskill", beta=space["beta"].sample()).name == "trueskill"


def test_scikit_learn_drives_the_search() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    values = ranklore.search_space("elo")["learning_rate"]
    grid = selection.ParameterGrid({"learning_rate": [values["low"], values["high"]]})
    games = {"a": NAMES * 9, "b": (NAMES[1:] + NAMES[:1]) * 9, "outcome": [1, 0.5, 0] * 18}
    systems = [f"elo:learning_rate={point['learning_rate']}" for point in grid]
    assert len(set(ranklore.evaluate(games, systems, outcome="outcome")["system"])) == 4
