"""Run the Python examples of Markdown pages, each page in a folder and a namespace of its own.

python checks/examples.py PAGE…
"""

import os
import pathlib
import re
import sys
import tempfile

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def main() -> None:
    for page in map(pathlib.Path, sys.argv[1:]):
        blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
        if not blocks:
            sys.exit(f"{page} has no example")
        names: dict[str, object] = {}
        here = pathlib.Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for number, block in enumerate(blocks, 1):
                exec(compile(block, f"{page}, example {number}", "exec"), names)
            os.chdir(here)
        print(f"{page}: {len(blocks)} examples")


if __name__ == "__main__":
    main()
