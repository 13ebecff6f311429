"""How much of a file is in the memory of this process."""

from pathlib import Path


def resident_mb(name: str) -> float:
    """Return how much of a file is in the memory of this process, where Linux tells it."""
    found, is_it = 0, False
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):  # the head of a mapping
            is_it = line.endswith(f"/{name}")
        elif is_it and first == "Rss:":
            found += int(rest[0])
    return found * 1024 / 1e6
