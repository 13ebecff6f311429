"""The C library's memory: kept in few arenas, and given back to the system when it is free."""

import ctypes
import sys

_M_ARENA_MAX = -8  # of <malloc.h>


def share_arenas(count: int) -> None:
    """Let threads share memory: by itself glibc keeps a heap for each, which stays at its peak."""
    libc = _glibc()
    if libc is not None:
        libc.mallopt(_M_ARENA_MAX, count)


def give_back() -> None:
    """Give the system what this process has freed; it may take some milliseconds."""
    libc = _glibc()
    if libc is not None:
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    """Return the C library where it is glibc."""
    if sys.platform != "linux":
        return None
    try:
        libc = ctypes.CDLL(None)
        _version = libc.gnu_get_libc_version
    except (OSError, AttributeError):
        return None  # musl has neither arenas nor these calls
    return libc
