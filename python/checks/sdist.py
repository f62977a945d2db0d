"""Build the source distribution, with the files outside of the crates that these embed.

python checks/sdist.py FOLDER
"""

import pathlib
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).parents[2]

# The store embeds the SQL of the database; the flags of SQLite are those of the command.
EMBEDDED = ["migrations/*.sql", ".cargo/config.toml", "LICENSE-*"]


def main() -> None:
    folder = pathlib.Path(sys.argv[1]).resolve()
    subprocess.run(["maturin", "sdist", "--out", folder], cwd=ROOT / "python", check=True)
    (built,) = folder.glob("*.tar.gz")
    name = built.name.removesuffix(".tar.gz")
    complete = built.with_suffix(".tmp")
    with tarfile.open(built) as source, tarfile.open(complete, "w:gz") as target:
        for member in source:
            target.addfile(member, source.extractfile(member))
        for pattern in EMBEDDED:
            for path in sorted(ROOT.glob(pattern)):
                target.add(path, f"{name}/{path.relative_to(ROOT).as_posix()}")
    complete.replace(built)
    print(built)


if __name__ == "__main__":
    main()
