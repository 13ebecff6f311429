"""The Python code of README and docs, and whether a type checker, as editors run it, accepts it.

`python -m tests.docs.code` checks all pages; `./dev check` runs it.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.docs.examples import BLOCK, README, ROOT

# What pyright reports unless told otherwise.
_SETTINGS = {"typeCheckingMode": "standard"}


def python_of(page: Path) -> str:
    """Return all Python of a page as one program, each line where it is on the page."""
    text = page.read_text(encoding="utf-8")
    lines = [""] * text.count("\n")
    for block in BLOCK.finditer(text):
        if block[1] == "python":
            first = text.count("\n", 0, block.start(2))
            code = block[2].splitlines()
            lines[first : first + len(code)] = code
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    """Check the code of every page; lines are reported as they are on the page."""
    with tempfile.TemporaryDirectory() as folder:
        for page in (README, *(ROOT / "docs").rglob("*.md")):
            code = python_of(page)
            if code.strip():
                file = Path(folder, page.relative_to(ROOT)).with_suffix(".py")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(code, encoding="utf-8")
        Path(folder, "pyrightconfig.json").write_text(json.dumps(_SETTINGS), encoding="utf-8")
        checker = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
        return subprocess.run([*checker, "--project", folder], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
