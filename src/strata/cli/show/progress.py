"""A bar on stderr for work that takes its time."""

import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

from strata.cli.session import Invocation
from strata.cli.show.text import cut, terminal_width

# Shorter work ends before a user wonders.
PATIENCE_S = 0.5
_REDRAW_S = 0.1
_CELLS = 24


@contextmanager
def progress(what: str) -> Generator["Bar | None"]:
    """Give a callback for long work; None where no terminal would show it."""
    if Invocation.current().json or not sys.stderr.isatty():
        yield None
        return
    bar = Bar(what)
    bar.start()
    try:
        yield bar
    finally:
        bar.stop()


class Bar:
    """Draws the last figures it was told, from a thread: some work reports nothing for long."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._figures = ("", 0, 0)
        self._started = time.monotonic()
        self._is_over = threading.Event()
        self._drawer = threading.Thread(target=self._draw, daemon=True)

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Take note of how far the work is; total 0 means unknown."""
        self._figures = (stage, done, total)

    def start(self) -> None:
        """Begin to draw as soon as patience is over."""
        self._drawer.start()

    def stop(self) -> None:
        """Stop drawing and leave the line as it was found."""
        self._is_over.set()
        self._drawer.join()

    def _draw(self) -> None:
        if self._is_over.wait(PATIENCE_S):
            return
        while True:
            elapsed = time.monotonic() - self._started
            text = cut(line(self._what, self._figures, elapsed), (terminal_width() or 80) - 1)
            sys.stderr.write(f"\r\x1b[2K{text}")
            sys.stderr.flush()
            if self._is_over.wait(_REDRAW_S):
                break
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()


def line(what: str, figures: tuple[str, int, int], elapsed_s: float) -> str:
    """Return one picture of the bar; the time left is as if the rest went like what is done."""
    stage, done, total = figures
    clock = duration(elapsed_s)
    if 0 < done < total:
        clock += f", {duration(elapsed_s * (total - done) / done)} left"
    if total <= 1:
        return f"{what}  {stage}  {clock}"
    filled = min(_CELLS, _CELLS * done // total)
    bar = "█" * filled + "░" * (_CELLS - filled)
    return f"{what}  {bar} {100 * done // total:3d} %  {stage} {done:,}/{total:,}  {clock}"


def duration(seconds: float) -> str:
    """Return a time in the unit that a reader would use."""
    for length, unit in ((3600, "h"), (60, "min")):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"
