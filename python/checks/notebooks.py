"""Execute notebooks; with --write, store what their cells print.

    python checks/notebooks.py [--write] NOTEBOOK…

RANKLORE_BIN is the program that they call.
"""

import os
import pathlib
import sys
import tempfile

import nbformat
from nbclient import NotebookClient


def main() -> None:
    arguments = sys.argv[1:]
    program = pathlib.Path(os.environ["RANKLORE_BIN"]).resolve()
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    for path in (pathlib.Path(name).resolve() for name in arguments if name != "--write"):
        notebook = nbformat.read(path, as_version=4)
        with tempfile.TemporaryDirectory() as folder:
            NotebookClient(
                notebook, timeout=300, resources={"metadata": {"path": folder}}
            ).execute()
        if "--write" in arguments:
            for cell in notebook.cells:
                cell.metadata.pop("execution", None)
            nbformat.write(notebook, path)
        print(f"{path.name}: executed")


if __name__ == "__main__":
    main()
