"""Interfaces of packages that load a module when one of its names is first used.

A process that answers one question and ends needs a tenth of the program. Loading the rest of it
would take longer than the answer.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package; `homes` has the names of each module, by blanks.

    `real=name` gives a name to what is called otherwise there. No name may be one of a module of
    the package: the module takes its place when it is loaded.
    """

    def load(name: str) -> object:
        for home, names in homes.items():
            for word in names.split():
                real, _sign, other = word.partition("=")
                if name == (other or real):
                    found = getattr(import_module(home), real)
                    setattr(sys.modules[package], name, found)
                    return found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
