"""Compares datasets as read by DuckDB, Polars, pandas, DataFusion and SQLite with their CSV.

Run in a folder with the datasets whole, years, csv and jsonl, which have the same contents, and
numbers, with only the source 2025. The argument is the path of docs/datasets.md.
Each block of SQL or Python there follows a comment that names the dataset to run it in, or the
reason for not running it. Each of its lines ends in a comment with a question; the expected answers
are computed here.
"""

import contextlib
import csv
import glob
import re
import sqlite3
import subprocess
import sys

import datafusion
import duckdb
import pandas as pd
import polars as pl

NAMES = {"datafusion": datafusion, "duckdb": duckdb, "glob": glob, "pd": pd, "pl": pl}


def table(name):
    """Returns the rows as Python's csv module reads them."""
    with open(f"whole/csv/{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def most(counts):
    """Returns the greatest count, with the first name that has it."""
    return [min(counts.items(), key=lambda of: (-of[1], of[0]))]


def answers():
    contests, standings = table("contest"), table("standing")
    year = {(of["source"], of["contest"]): int(of["ends_at"][:4]) for of in contests}
    wins, years = {}, {}
    for of in standings:
        at = year[of["source"], of["contest"]]
        years[at] = years.get(at, 0) + 1
        if of["place"] == "1":
            wins[of["competitor"]] = wins.get(of["competitor"], 0) + 1
    peaks = {}
    for of in table("rating"):
        peaks[of["competitor"]] = max(peaks.get(of["competitor"], 0), float(of["mu"]))
    sources = {}
    for of in standings:
        sources[of["source"]] = sources.get(of["source"], 0) + 1
    assert len(years) > 1 and len(sources) > 2
    regatta = sum(
        of["source"] == "regatta" and year["regatta", of["contest"]] == 2024 for of in standings
    )
    assert regatta > 0
    return {
        "results": [(len(standings),)],
        "who won most": most(wins),
        "whose rating was the highest": most(peaks),
        "results of 2024": [(years[2024],)],
        "results of regatta in 2024": [(regatta,)],
        "results of each year": sorted(years.items()),
        "results of each source": sorted(sources.items()),
    }


def rows(value):
    """Converts the result of a program to rows."""
    if isinstance(value, duckdb.DuckDBPyRelation):
        return value.fetchall()
    if isinstance(value, pl.LazyFrame):
        value = value.collect()
    if isinstance(value, pl.DataFrame):
        return value.rows()
    if isinstance(value, pd.DataFrame):
        return [
            tuple(None if pd.isna(cell) else cell for cell in row)
            for row in value.itertuples(index=False, name=None)
        ]
    if isinstance(value, pd.Series):
        return list(value.items())
    return [(int(value),)]


def run(language, line):
    if language == "sql":
        return rows(duckdb.sql(line))
    # Evaluates a line as a user would type it.
    return rows(eval(line, dict(NAMES)))


def check(what, found, expected):
    if found != expected:
        sys.exit(f"{what}\n  gives {found[:5]} …\n  and not {expected[:5]} …")


def document(path):
    """Runs the blocks of the document."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    blocks = re.findall(r"(?:<!-- (.*?) -->\n)?```(sql|python)\n(.*?)```", text, re.DOTALL)
    known, ran = answers(), {"DuckDB": 0, "Polars": 0, "pandas": 0, "DataFusion": 0}
    for mark, language, code in blocks:
        if mark.startswith("not run: "):
            continue
        where = re.fullmatch(r"run in: (whole|years)", mark)
        if not where:
            sys.exit(f"{path}: a comment must name the dataset for this block:\n{code}")
        for line in code.splitlines():
            said = re.fullmatch(r"(.*?);?\s+(?:--|#) (.*)", line)
            if not said or said[2] not in known:
                sys.exit(f"{path}: {__file__} has no answer to the question of this line:\n{line}")
            with contextlib.chdir(where[1]):
                check(line, run(language, said[1]), known[said[2]])
            names = {"pd.": "pandas", "pl.": "Polars", "datafusion.": "DataFusion"}
            program = [of for name, of in names.items() if line.startswith((name, f"len({name}"))]
            if language == "python" and not program:
                sys.exit(f"{path}: the program of this line is unknown:\n{line}")
            ran["DuckDB" if language == "sql" else program[0]] += 1
    if not all(ran.values()):
        sys.exit(f"{path}: each program needs at least one line: {ran}")
    print(f"{path}: {ran}")


def same(values, columns):
    """Converts rows to sorted text, so that they can be compared."""
    assert columns == list(table("standing")[0]), columns

    def text(name, value):
        if name in ("place", "score", "penalty"):
            return "" if value is None else f"{value:g}"
        return value or ""

    return sorted(tuple(map(text, columns, row)) for row in values)


def cards():
    """Runs the lines of the dataset READMEs: each must give the whole table, with texts as texts."""
    written = sorted(tuple(of.values()) for of in table("standing"))
    for dataset in ("whole", "years", "csv", "jsonl", "numbers"):
        with open(f"{dataset}/README.md", encoding="utf-8") as file:
            lines = re.findall(r"^\| (DuckDB|Polars|pandas) \| `(.*)` \|$", file.read(), re.MULTILINE)
        if len(lines) != 3:
            sys.exit(f"{dataset}/README.md: {lines}")
        for program, line in lines:
            with contextlib.chdir(dataset):
                value = duckdb.sql(line) if program == "DuckDB" else eval(line, dict(NAMES))
                # DuckDB reads lazily.
                found = rows(value)
            found = same(found, list(value.columns))
            expected = [of for of in written if of[0] == "2025" or dataset != "numbers"]
            check(f"{dataset}/README.md: {line}", found, expected)
        print(f"{dataset}/README.md: {len(lines)} lines")


def sqlite():
    file = sqlite3.connect("whole/dataset.sqlite")
    for pragma, expected in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
        check(pragma, file.execute(f"PRAGMA {pragma}").fetchall(), expected)
    cursor = file.execute("SELECT * FROM standing")
    found = same(cursor.fetchall(), [column[0] for column in cursor.description])
    check("dataset.sqlite", found, sorted(tuple(of.values()) for of in table("standing")))
    print("dataset.sqlite: valid")


document(sys.argv[1])
cards()
sqlite()
