"""A lock on a folder, which ends with the process that holds it."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None


@contextmanager
def holding(folder: Path, *, waits: bool) -> Generator[None]:
    """Hold a folder against other processes that would hold it.

    Without `waits`, BlockingIOError is raised while another process holds it. Where the system has
    no such locks, as on Windows, every process may go on.
    """
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
