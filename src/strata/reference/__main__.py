"""`python -m strata.reference` writes the pages; `--check` tells which are out of date."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from pkgutil import resolve_name

import msgspec

from strata.reference.pages import CommandPage, command_page, setting_page
from strata.reference.program import program_pages
from strata.reference.tools import page_types, tool_pages, tool_types

_FOLDER = Path(__file__).resolve().parents[3] / "docs" / "reference"


def main() -> int:
    """Write the pages, or with --check compare them; return an exit code."""
    parser = ArgumentParser(prog="strata.reference", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if a page differs")
    parser.add_argument("--folder", type=Path, default=_FOLDER, help="where the pages are")
    options = parser.parse_args()
    folder: Path = options.folder
    stale = {folder / name: text for name, text in pages().items() if _read(folder / name) != text}
    if options.check:
        if stale:
            names = " and ".join(path.name for path in stale)
            sys.stdout.write(f"{names}: run ./dev python -m strata.reference\n")
        return 1 if stale else 0
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"wrote {path}\n")
    return 0


def pages() -> dict[str, str]:
    """Return the text of every page by the name of its file."""
    # By name, because packages of one layer do not import each other: what the command line hands
    # over is data, and the type below is all that this package knows of it.
    described = resolve_name("strata.cli.describe:describe_commands")()
    commands = msgspec.convert(msgspec.to_builtins(described), list[CommandPage])
    written = {"cli.md": command_page(commands), "settings.md": setting_page()}
    types = {"tools.ts": tool_types(), "page.ts": page_types()}
    return written | program_pages() | tool_pages() | types


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())
