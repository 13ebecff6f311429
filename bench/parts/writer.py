"""One of many writers: waits for the word, puts until its time is up, and says how many."""

import sys
import time
from pathlib import Path

import msgspec

import strata


class Written(msgspec.Struct):
    """What one writer did."""

    puts: int
    errors: int
    seconds: float


def main(path: Path, durability: str, *, seconds: float, place: int) -> None:
    """Put small records under keys of this writer's own."""
    assert durability in ("always", "standard")
    with strata.open(path, durability=durability, text_index=False, auto_embed=False) as db:
        db.kv.put(f"writer/{place:02d}/ready", {"place": place})
        print("ready", flush=True)
        sys.stdin.readline()
        written = write(db, place, seconds)
    print(msgspec.json.encode(written).decode(), flush=True)


def write(db: strata.Workspace, place: int, seconds: float) -> Written:
    """Put until the time is up; a put that fails is counted, not repeated."""
    puts = errors = 0
    started = time.perf_counter()
    end = started + seconds
    while time.perf_counter() < end:
        note = f"the writer at place {place} has come to record number {puts}, 계속 쓰는 중"
        try:
            db.kv.put(
                f"writer/{place:02d}/{puts % 5000:05d}",
                {"place": place, "n": puts, "state": "open", "score": 0.5, "note": note},
            )
            puts += 1
        except strata.StrataError as error:
            print(error, file=sys.stderr)
            errors += 1
    return Written(puts, errors, time.perf_counter() - started)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], seconds=float(sys.argv[3]), place=int(sys.argv[4]))
