"""Figures as they are printed: a value, its bound, and whether the one keeps to the other."""

import os
import platform
import time
from collections.abc import Mapping
from importlib.metadata import version

from measure.rounds import Timing


class Report:
    """Prints figures as they come and remembers whether one fell short."""

    def __init__(self, title: str) -> None:
        self.short: list[str] = []
        self._started = time.monotonic()
        print(f"# {title}")

    def at_most(self, name: str, value: float, bound: float) -> None:
        """Print a figure that should not exceed its bound."""
        self._figure(name, value, bound, holds=value <= bound)

    def at_least(self, name: str, value: float, bound: float) -> None:
        """Print a figure that should reach its bound; its name says so by ending in _min."""
        assert name.endswith("_min"), name
        self._figure(name, value, bound, holds=value >= bound)

    def _figure(self, name: str, value: float, bound: float, *, holds: bool) -> None:
        print(f"figure {name} {value:.4g} {bound:g} {'ok' if holds else 'short'}", flush=True)
        if not holds:
            self.short.append(name)

    def note(self, text: str) -> None:
        """Print a line of context."""
        print(f"    {text}", flush=True)

    def timings(self, what: str, timings: Mapping[str, Timing]) -> None:
        """Print what each contender took: median, range of the rounds, and mean."""
        for name, timing in timings.items():
            low, high = timing.spread
            self.note(
                f"{what:<16} {name:<24} {timing.median:>11.2f} us"
                f"   rounds {low:.2f} to {high:.2f}   mean {timing.mean:.2f}"
            )

    def machine(self, product: str, *packages: str) -> None:
        """Print where and with what this is measured."""
        self.note(
            f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores,"
            f" Python {platform.python_version()}, load {_load()}"
        )
        self.note(", ".join([product, *(f"{name} {version(name)}" for name in packages)]))

    def end(self) -> int:
        """Print a summary and return the exit code: 1 if any figure is short."""
        taken = time.monotonic() - self._started
        found = f"short: {', '.join(self.short)}" if self.short else "every figure holds"
        print(f"# {found}; {taken:.0f} s, load now {_load()}")
        return 1 if self.short else 0


def _load() -> str:
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"
