"""Replays a history of games through the Python packages, and compares the programs.

    games.py replay FILE SETTING PROGRAM     prints a line of JSON: time and final ratings
    games.py compare FOLDER                  prints the table of the runs in a folder

The file is read before the clock starts. The time is the processor time of the replay alone.
Settings and constants are those of games/src/setting.rs.
"""

import csv
import json
import pathlib
import statistics
import sys
import time

SIGMA = 25 / 3
BETA = 25 / 6


class History:
    """The games of a file; players are numbered from 0."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.days = [int(row["day"]) for row in rows]
        self.white = [int(row["white"]) for row in rows]
        self.black = [int(row["black"]) for row in rows]
        self.scores = [float(row["score"]) for row in rows]
        self.players = max(self.white + self.black) + 1


def timed(work):
    """Returns the processor time of the work in seconds, and its result."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


# --- riix ---------------------------------------------------------------------------------


def riix_dataset(history):
    """Each day is a rating period (time step) of riix."""
    import numpy
    from riix.utils.data_utils import MatchupDataset

    return MatchupDataset.init_from_arrays(
        time_steps=numpy.array(history.days, dtype=numpy.int32),
        matchups=numpy.array([history.white, history.black], dtype=numpy.int32).T.copy(),
        outcomes=numpy.array(history.scores),
        competitors=list(range(history.players)),
    )


def correct_draw(t, eps):
    """v and w of a draw, times 2 in v: riix multiplies v by the score, 1/2."""
    from riix.utils.math_utils import norm_cdf, norm_pdf

    below, above = -eps - t, eps - t
    drawn = norm_cdf(above) - norm_cdf(below)
    v = (norm_pdf(below) - norm_pdf(above)) / drawn
    w = v * v + (above * norm_pdf(above) - below * norm_pdf(below)) / drawn
    return 2 * v, w


def bound_as_ranklore(system):
    """Replaces Glickman's bound of a deviation before a period, 350, by that of Ranklore."""
    import numpy

    newcomer = system.initial_rating_dev**2 - system.c2
    system.rating_devs[:] = newcomer**0.5

    def increase_rating_dev(time_step, matchups):
        active = numpy.unique(matchups)
        system.has_played[active] = True
        playing = numpy.isin(numpy.arange(system.num_competitors), active)
        before = numpy.square(system.rating_devs)
        elapsed = time_step - system.prev_time_step
        missed = numpy.where(playing, elapsed - 1, elapsed)
        away = numpy.minimum(before + missed * system.c2, numpy.maximum(before, newcomer))
        grown = numpy.sqrt(numpy.where(playing, away + system.c2, away))
        system.rating_devs[system.has_played] = grown[system.has_played]
        system.prev_time_step = time_step
        return active

    system.increase_rating_dev = increase_rating_dev


def replay_riix(history, setting, program):
    import riix.models.trueskill
    from riix.models.elo import Elo
    from riix.models.glicko import Glicko
    from riix.models.glicko2 import Glicko2
    from riix.models.trueskill import TrueSkill
    from riix.models.weng_lin import WengLin

    competitors = list(range(history.players))
    method = "batched" if program.startswith("riix-batched") else "iterative"
    shared = {"competitors": competitors, "update_method": method}
    units = {"initial_mu": 25.0, "initial_sigma": SIGMA, "beta": BETA, "tau": 0.0}
    if setting in ("elo", "elo-days"):
        system = Elo(k=32.0, **shared)
    elif setting in ("glicko", "glicko-days"):
        system = Glicko(c=0.0 if setting == "glicko" else 63.2, **shared)
        if program == "riix-batched-bound":
            bound_as_ranklore(system)
    elif setting == "glicko2-days":
        epsilon = 1e-12 if program.endswith("-exact") else 1e-6
        system = Glicko2(tau=0.5, epsilon=epsilon, **shared)
    elif setting == "trueskill-static":
        if program == "riix-draws":
            riix.models.trueskill.v_and_w_draw_scalar = correct_draw
        system = TrueSkill(draw_probability=0.1, **units, **shared)
    elif setting == "weng-lin":
        system = WengLin(model="bt", **units, **shared)
    else:
        sys.exit(f"{program} does not rate {setting}")
    dataset = riix_dataset(history)
    seconds, _ = timed(lambda: system.fit_dataset(dataset))
    if setting == "glicko2-days":
        ratings = 1500.0 + 173.7178 * system.mus
    elif setting.startswith(("elo", "glicko")):
        ratings = system.ratings
    else:
        ratings = system.mus
    return seconds, [float(rating) for rating in ratings]


# --- The other packages -------------------------------------------------------------------


def replay_evalica(history):
    import evalica

    winners = {1.0: evalica.Winner.X, 0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw}
    outcomes = [winners[score] for score in history.scores]
    seconds, result = timed(
        lambda: evalica.elo(history.white, history.black, outcomes, initial=1500.0, k=32.0)
    )
    return seconds, [float(result.scores[player]) for player in range(history.players)]


def exact_normal():
    """The normal distribution by the standard library: a backend of the package trueskill."""
    normal = statistics.NormalDist()
    return normal.cdf, normal.pdf, normal.inv_cdf


def replay_trueskill(history, program):
    import trueskill

    backend = exact_normal() if program == "trueskill-exact" else None
    environment = trueskill.TrueSkill(draw_probability=0.1, backend=backend)
    players = [environment.create_rating() for _ in range(history.players)]

    def replay():
        rate = trueskill.rate_1vs1
        for white, black, score in zip(history.white, history.black, history.scores):
            if score == 0.0:
                white, black = black, white
            players[white], players[black] = rate(
                players[white], players[black], drawn=score == 0.5, env=environment
            )

    seconds, _ = timed(replay)
    return seconds, [player.mu for player in players]


def replay_openskill(history, program):
    from openskill.models import BradleyTerryFull, PlackettLuce

    model = (BradleyTerryFull if program == "openskill-bt" else PlackettLuce)(tau=0.0)
    players = [model.rating() for _ in range(history.players)]
    places = {1.0: [0, 1], 0.0: [1, 0], 0.5: [0, 0]}

    def replay():
        for white, black, score in zip(history.white, history.black, history.scores):
            [[players[white]], [players[black]]] = model.rate(
                [[players[white]], [players[black]]], ranks=places[score]
            )

    seconds, _ = timed(replay)
    return seconds, [player.mu for player in players]


def replay(path, setting, program):
    history = History(path)
    by_package = {
        ("elo", "evalica"): lambda: replay_evalica(history),
        ("trueskill", "trueskill"): lambda: replay_trueskill(history, program),
        ("weng-lin", "openskill"): lambda: replay_openskill(history, program),
    }
    package = program.split("-")[0]
    if package == "riix":
        seconds, ratings = replay_riix(history, setting, program)
    elif (setting, package) in by_package:
        seconds, ratings = by_package[setting, package]()
    else:
        sys.exit(f"{program} does not rate {setting}")
    print(json.dumps({"games": len(history.days), "seconds": seconds, "ratings": ratings}))


# --- The table ----------------------------------------------------------------------------


def compare(folder):
    """Prints the table of the runs: those of each program are the lines of a file
    SETTING:PROGRAM.jsonl, in the order of order.txt. The first program of a setting is its
    reference."""
    folder = pathlib.Path(folder)
    reference_of = {}
    row = "{:<17} {:<19} {:>10} {:>7} {:>18} {:>16}"
    heading = ("setting", "program", "µs a game", "ratio", "largest difference", "mean difference")
    print(row.format(*heading))
    for name in (folder / "order.txt").read_text().split():
        setting, program = name.split(":")
        lines = (folder / f"{name}.jsonl").read_text().splitlines()
        runs = [json.loads(line) for line in lines]
        ratings = runs[0]["ratings"]
        if any(run["ratings"] != ratings for run in runs):
            sys.exit(f"{name}: two runs gave different ratings")
        micros = statistics.median(1e6 * run["seconds"] / run["games"] for run in runs)
        if setting not in reference_of:
            reference_of[setting] = ratings, micros
            print(row.format(setting, program, f"{micros:.3g}", "1", "", "").rstrip())
            continue
        reference, base = reference_of[setting]
        if len(ratings) != len(reference):
            sys.exit(f"{name} has {len(ratings)} players, the reference {len(reference)}")
        differences = [abs(a - b) for a, b in zip(ratings, reference)]
        largest, mean = max(differences), statistics.fmean(differences)
        figures = f"{micros:.3g}", f"{micros / base:.3g}", f"{largest:.1e}", f"{mean:.1e}"
        print(row.format(setting, program, *figures))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["replay", path, setting, program]:
            replay(path, setting, program)
        case ["compare", folder]:
            compare(folder)
        case _:
            sys.exit(__doc__)
