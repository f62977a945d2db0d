"""The command that the package is compared with."""

import os
import pathlib
import sqlite3
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


class Command:
    """The program `ranklore`, with a database of its own."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path) -> None:
        self.program = program
        self.folder = folder
        self.database = folder / "ranklore.sqlite"

    def run(self, *arguments: str) -> str:
        """Run a command, and return its output."""
        done = subprocess.run(
            [self.program, "--db", self.database, *arguments],
            cwd=self.folder, check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def rate(self, csv: str, system: str, *options: str) -> list[tuple[object, ...]]:
        """Import a CSV file, rate it, and return all ratings."""
        for file in self.folder.iterdir():
            file.unlink()
        (self.folder / "results.csv").write_text(csv)
        # Random places can look like those of several rankings; they are ties.
        layout = ["--layout", "rows"] if "place" in csv.splitlines()[0] else []
        self.run("import", "results.csv", "--source", "club", *layout)
        self.run("rate", "club", "--system", system, *options)
        with sqlite3.connect(self.database) as connection:
            return sorted(
                connection.execute(
                    "SELECT contest.ends_at, contest.name, competitor.name, mu, sigma, performance,"
                    " volatility FROM rating JOIN contest USING (contest_id)"
                    " JOIN competitor USING (competitor_id)"
                ).fetchall()
            )


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The command: RANKLORE_BIN, or a build of this checkout."""
    named = os.environ.get("RANKLORE_BIN")
    builds = [ROOT / "target" / profile / "ranklore" for profile in ("release", "debug")]
    found = [path for path in ([pathlib.Path(named)] if named else builds) if path.is_file()]
    if not found:
        pytest.skip("no program to compare with: set RANKLORE_BIN, or run `cargo build`")
    return Command(found[0].resolve(), tmp_path_factory.mktemp("command"))
