"""Functions that remember what they worked out of texts, all of which a purge must reach.

What is remembered here may be words of a value that is purged, in this process or another.
So nothing keeps texts in an `lru_cache` of its own: `remembered` and `on_purge` know of all that
do, and `forget_texts` empties them.
"""

import threading
import weakref
from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

_functions: list[Callable[[], None]] = []
_methods: "list[weakref.WeakMethod[Callable[[], None]]]" = []
_lock = threading.Lock()


def remembered(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function of texts remember its newest results, until something is purged."""

    def wrap(function: Callable[P, T]) -> Callable[P, T]:
        made = lru_cache(most)(function)
        _functions.append(made.cache_clear)
        return cast("Callable[P, T]", made)

    return wrap


def on_purge(forget: Callable[[], None]) -> None:
    """Call a method whenever something was purged, for as long as its object is in use."""
    with _lock:
        _methods[:] = [method for method in _methods if method() is not None]
        _methods.append(weakref.WeakMethod(forget))


def forget_texts() -> None:
    """Drop everything that this process remembers of texts."""
    for clear in _functions:
        clear()
    with _lock:
        methods = [method() for method in _methods]
    for method in methods:
        if method is not None:
            method()
