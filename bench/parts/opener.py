"""Opens a store, reads one value, and says how long each step took."""

import sys
import time

_started = time.perf_counter()
import strata  # noqa: E402  (its import is one of the steps)

# `import strata` loads a name when it is first used; what `open` needs belongs to this step.
_open = strata.open
_imported = time.perf_counter()
import msgspec  # noqa: E402  (already loaded by strata)


class Opened(msgspec.Struct):
    """The steps in milliseconds."""

    import_ms: float
    open_ms: float
    get_ms: float


def main(path: str, key: str) -> None:
    """Open, get, and print the steps as JSON."""
    start = time.perf_counter()
    db = _open(path, durability="standard", text_index=False, auto_embed=False)
    opened = time.perf_counter()
    found = db.kv.get(key)
    end = time.perf_counter()
    assert found is not None
    steps = Opened((_imported - _started) * 1000, (opened - start) * 1000, (end - opened) * 1000)
    print(msgspec.json.encode(steps).decode())
    db.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
