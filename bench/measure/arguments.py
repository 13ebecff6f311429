"""What every benchmark can be told."""

import argparse
from collections.abc import Iterable
from pathlib import Path

RESULTS = Path(__file__).parent.parent / "results"


def parser(
    about: str | None, parts: Iterable[str], *, quick: str = "end within a minute"
) -> argparse.ArgumentParser:
    """Return a parser for a benchmark whose module says what it is about."""
    found = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    found.add_argument("--quick", action="store_true", help=quick)
    found.add_argument("--only", nargs="+", choices=list(parts), help="run some parts only")
    found.add_argument(
        "--folder", type=Path, default=RESULTS, help="where the stores are made, then removed"
    )
    return found
